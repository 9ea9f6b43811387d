import { missingPrograms, runProgram } from '#harness/system-programs';

/** What a machine must have for these tests, or a sentence for each thing it lacks. */
export function missingPrerequisites(): string[] {
  if (process.platform !== 'linux') return ['Linux, because the hosts are network namespaces'];
  const missing: string[] = [];
  if (process.getuid?.() !== 0) missing.push('root, to make network namespaces and to listen on port 443');
  missing.push(...missingPrograms(programs));
  return missing.length > 0 ? missing : refusedByKernel();
}

const programs: readonly (readonly [program: string, packageName: string])[] = [
  ['ip', 'iproute2'],
  ['iptables', 'iptables'],
  ['ssh', 'openssh-client'],
  ['ssh-keygen', 'openssh-client'],
  ['sshd', 'openssh-server'],
  ['sshuttle', 'sshuttle'],
  ['nginx', 'nginx-light'],
  ['curl', 'curl'],
  ['openssl', 'openssl'],
];

/** Containers often may not do what root may do; sshuttle needs address translation. */
function refusedByKernel(): string[] {
  const name = `gatehouse-${process.pid}-trial`;
  const attempts: readonly (readonly [what: string, command: string])[] = [
    ['permission to make network namespaces', `ip netns add ${name}`],
    ['virtual Ethernet (veth) in the kernel', `ip -n ${name} link add trial type veth peer name peer`],
    ['bridges in the kernel', `ip -n ${name} link add bridge type bridge`],
    ['address translation (iptables -t nat) in the kernel', `ip netns exec ${name} iptables -w -t nat -L -n`],
  ];
  try {
    const failed = attempts.find(([, command]) => {
      const [program = '', ...words] = command.split(' ');
      return runProgram(program, words).status !== 0;
    });
    return failed === undefined ? [] : [failed[0]];
  } finally {
    runProgram('ip', ['netns', 'del', name]);
  }
}
