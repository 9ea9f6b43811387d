import type { PersonDesks, PeopleDesk, SignInDesk } from '#vocabulary/person-desks';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { PeopleStore, Person } from '#vocabulary/stores';

export function createFirstOperator(needs: {
  readonly people: PeopleStore;
  readonly peopleDesk: PeopleDesk;
  readonly signIn: SignInDesk;
  readonly hasLocalAccounts: boolean;
}): PersonDesks['ensureFirstOperator'] {
  const { people, peopleDesk, signIn } = needs;
  return async ({ email, password }) => {
    if (password !== undefined && email === undefined) {
      throw new OperatorProblem(
        'GATEHOUSE_ADMIN_PASSWORD is set without GATEHOUSE_ADMIN_EMAIL. Set both or neither.',
      );
    }
    if (password !== undefined && password.length < 10) {
      throw new OperatorProblem(
        'GATEHOUSE_ADMIN_PASSWORD is shorter than 10 characters. Choose a longer one.',
      );
    }
    if (!needs.hasLocalAccounts) return undefined;
    const operator = await findOrCreate(email, password);
    if (operator === undefined || password !== undefined || operator.lastSeenAt !== undefined)
      return undefined;
    return signIn.createOneTimeLink(operator.id, service);
  };

  async function findOrCreate(
    email: string | undefined,
    password: string | undefined,
  ): Promise<Person | undefined> {
    if (email !== undefined) {
      return (
        (await people.findByEmail(email)) ?? peopleDesk.create({ ...operator(email), password }, service)
      );
    }
    if ((await people.count()) === 0) return peopleDesk.create(operator(defaultEmail), service);
    return people.findByEmail(defaultEmail);
  }
}

const service = { kind: 'service' } as const;
const defaultEmail = 'operator@localhost';

function operator(email: string) {
  return { email, name: 'Operator', role: 'administrator' as const, password: undefined };
}
