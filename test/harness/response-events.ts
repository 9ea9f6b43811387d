import { faultsOfShape } from './openai-shapes.ts';

type Event = Record<string, unknown> & {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
};

/** What is wrong with a stream of Responses events: names, numbers, the order of each item's events, the ending. */
export function faultsOfResponseEvents(body: string, isComplete: boolean): string[] {
  const frames = body
    .split('\n\n')
    .slice(0, -1)
    .filter((frame) => !frame.startsWith(':'));
  const faults: string[] = [];
  const events = frames.map((frame) => {
    const [name = '', data = ''] = frame.split('\n');
    const event = JSON.parse(data.replace(/^data: /, '')) as Event;
    if (name !== `event: ${event.type}`) faults.push(`${name} carries ${event.type}`);
    return event;
  });
  const first = events[0]?.sequence_number ?? 0;
  events.forEach(({ sequence_number: number }, index) => {
    if (number !== first + index) faults.push(`event ${first + index} has the number ${number}`);
  });
  for (const { response } of events.filter((event) => 'response' in event))
    faults.push(...faultsOfShape('response', response));
  const isEnd = ({ type }: Event) => /^response\.(completed|incomplete|failed)$/.test(type);
  const end = events.findIndex(isEnd);
  if (end >= 0 && end !== events.length - 1) faults.push('something comes after the end');
  if (isComplete && end < 0) faults.push('there is no end');
  return [...faults, ...faultsOfItems(events)];
}

/** Every item is added, then grows, then is done; its text is what its pieces add up to. */
function faultsOfItems(events: readonly Event[]): string[] {
  const faults: string[] = [];
  const states = new Map<number, 'open' | 'done'>();
  const texts = new Map<number, string>();
  for (const event of events) {
    const { type, output_index: index } = event;
    if (index === undefined) continue;
    const state = states.get(index);
    if (type === 'response.output_item.added') {
      if (state !== undefined) faults.push(`item ${index} is added twice`);
      states.set(index, 'open');
      texts.set(index, '');
    } else if (state !== 'open' && events[0]?.sequence_number === 0)
      faults.push(`${type} of item ${index}, which is ${state ?? 'unknown'}`);
    if (typeof event.delta === 'string') texts.set(index, (texts.get(index) ?? '') + event.delta);
    const whole = event.text ?? event.arguments ?? event.input;
    if (type.endsWith('.done') && typeof whole === 'string' && events[0]?.sequence_number === 0)
      if (whole !== texts.get(index)) faults.push(`${type} says ${whole}, its pieces ${texts.get(index)}`);
    if (type === 'response.output_item.done') states.set(index, 'done');
  }
  const isWhole = /^response\.(completed|incomplete)$/.test(events.at(-1)?.type ?? '');
  for (const [index, state] of states)
    if (isWhole && state === 'open') faults.push(`item ${index} is never done`);
  return faults;
}
