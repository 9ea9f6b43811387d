/** Line icons on a 20-unit grid, drawn for this app. Decorative: the control that holds one carries the name. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.4 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={pointsAlong.has(name) ? 'shrink-0 rtl:-scale-x-100' : 'shrink-0'}
    >
      <path d={paths[name]} />
    </svg>
  );
}

export type IconName = keyof typeof paths;

/** Those that point along the line: mirrored where it runs from right to left. */
const pointsAlong: ReadonlySet<IconName> = new Set<IconName>([
  'chevronLeft',
  'chevronRight',
  'panel',
  'quote',
  'signOut',
]);

const paths = {
  plus: 'M10 4v12M4 10h12',
  pencil: 'M12.5 4.5l3 3L7 16H4v-3zM11 6l3 3',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17 17',
  menu: 'M3 6h14M3 10h14M3 14h14',
  panel: 'M3.5 4.5h13v11h-13zM8 4.5v11',
  close: 'M5 5l10 10M15 5L5 15',
  chevronDown: 'M5.5 8l4.5 4.5L14.5 8',
  chevronRight: 'M8 5.5l4.5 4.5L8 14.5',
  chevronLeft: 'M12 5.5L7.5 10l4.5 4.5',
  arrowUp: 'M10 16V4M5 9l5-5 5 5',
  arrowDown: 'M10 4v12M5 11l5 5 5-5',
  stop: 'M6 6h8v8H6z',
  check: 'M4 10.5l4 4 8-9',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  refresh: 'M16 10a6 6 0 1 1-1.8-4.3M16 3v3.5h-3.5',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.8 10h7.4l.8-10M8.5 9v4.5M11.5 9v4.5',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  pin: 'M12 3l5 5-3 1-3.5 3.5-.5 3.5-2.5-2.5L3 17l3.5-4.5L4 10l3.5-.5L11 6z',
  share: 'M10 12V3M6.5 6L10 3l3.5 3M4 10v6.5h12V10',
  download: 'M10 3v10M6 9.5l4 4 4-4M4 16.5h12',
  upload: 'M10 14V4M6 7.5l4-4 4 4M4 16.5h12',
  sliders: 'M3 6h7M14 6h3M12 4v4M3 14h3M10 14h7M8 12v4',
  key: 'M12.5 11.5a4 4 0 1 0-4-4c0 .4 0 .8.2 1.200L3 14.5V17h2.5v-2H7v-1.5h1.5l2.300-2.300c.5.2 1.100.3 1.700.3zM13.5 6.5h.01',
  plug: 'M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v2.5',
  chart: 'M3.5 16.5h13M6 13.5V9M10 13.5V4.5M14 13.5V7.5',
  gear: 'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.700 4.700l1.400 1.400M13.900 13.900l1.400 1.400M15.300 4.700l-1.400 1.400M6.100 13.900l-1.400 1.400',
  person: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c.5-3.5 3-5 6-5s5.5 1.5 6 5',
  people:
    'M7.5 9.5a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600zM2.5 16.5c.4-3 2.400-4.5 5-4.5s4.600 1.5 5 4.5M13 4.200a2.600 2.600 0 0 1 0 5.100M14.5 12.300c1.700.5 2.800 1.800 3 4.200',
  signOut: 'M8 4H4v12h4M12.5 6.5L16 10l-3.5 3.5M16 10H8',
  shield: 'M10 3l6 2v5c0 4-2.5 6-6 7.5C6.5 16 4 14 4 10V5z',
  keyboard: 'M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7',
  bell: 'M5 14h10l-1.300-2V8.500a3.700 3.700 0 0 0-7.400 0V12zM8.500 16.500a1.600 1.600 0 0 0 3 0',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4.200l2.800 1.600',
  warning: 'M10 4l7 12.5H3zM10 9v3.5M10 14.5h.01',
  theme: 'M10 3a7 7 0 1 0 0 14 7 7 0 1 0 0-14zM10 3v14M12.5 4v12M14.800 5.500v9',
  veil: 'M3 10c2-3.5 4.300-5 7-5s5 1.5 7 5c-2 3.5-4.300 5-7 5s-5-1.5-7-5zM4 16.5l12-13',
  tool: 'M12.800 3.600a4 4 0 0 0-4.600 5.400L3.5 13.700l2.800 2.800 4.700-4.700a4 4 0 0 0 5.400-4.600l-2.5 2.5-2.600-.7-.7-2.600z',
  link: 'M8.5 11.5l3-3M9.5 6l1.800-1.800a3.200 3.200 0 0 1 4.5 4.5L14 10.5M10.5 14l-1.800 1.800a3.200 3.200 0 0 1-4.5-4.5L6 9.5',
  chat: 'M3.500 4.500h13v9h-7l-3.500 3v-3h-2.500z',
  folder: 'M3 5.500h5l1.500 2H17v8.500H3z',
  archive: 'M3 4.500h14v3.500H3zM4.500 8v8h11V8M8 11h4',
  file: 'M5 3h6.500L15 6.500V17H5zM11.500 3v3.500H15',
  picture: 'M3.500 4.500h13v11h-13zM3.500 13l3.800-3.800 3.200 3.200 2-2 4 4M13 8h.01',
  clip: 'M15.500 9.500l-6 6a3.500 3.500 0 0 1-5-5l6.500-6.500a2.300 2.300 0 0 1 3.300 3.300l-6.300 6.300a1 1 0 0 1-1.500-1.500l5.600-5.600',
  thumbUp:
    'M6.500 9v7.500h-3V9zM6.500 9l3-5.500c1.200 0 2 .8 2 2V8h4a1.500 1.500 0 0 1 1.500 1.800l-1 5.200a1.500 1.500 0 0 1-1.500 1.500h-8',
  thumbDown:
    'M6.500 11V3.500h-3V11zM6.500 11l3 5.500c1.200 0 2-.8 2-2V12h4a1.500 1.500 0 0 0 1.500-1.800l-1-5.200a1.500 1.500 0 0 0-1.500-1.500h-8',
  quote: 'M8 5.500c-2.500.8-4 2.500-4 5.500v3.500h4V11H4M16 5.500c-2.500.8-4 2.500-4 5.500v3.500h4V11h-4',
  columns: 'M3.500 4.500h13v11h-13zM10 4.500v11M6 8h1.500M12.500 8H14M6 11h1.500M12.500 11H14',
  receipt: 'M5 3v14l2-1.300L8.700 17l1.300-1.300 1.300 1.300 1.700-1.300 2 1.300V3zM8 7h4M8 10.500h4',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.5v4M10 6.700h.01',
  wifiOff:
    'M3 3l14 14M4 8.5a9 9 0 0 1 3.5-2.100M16 8.5a9 9 0 0 0-5-2.400M6.800 11.700a5 5 0 0 1 2.700-1.300M10 15h.01',
} as const;
