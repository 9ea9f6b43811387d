import { useService } from '../app/session.tsx';

/** The logo of whoever runs the service; otherwise the house's own: an arch with two doors, the same as the favicon. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  const logoUrl = useService()?.logoUrl ?? null;
  if (logoUrl !== null)
    return (
      // As high as the arch would be: a wide one is wide.
      <img
        src={logoUrl}
        alt=""
        className="w-auto shrink-0 object-contain object-left rtl:object-right"
        style={{ height: size, maxWidth: size * widest }}
      />
    );
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="text-accent shrink-0">
      <path fill="currentColor" fillRule="evenodd" d={markPath} />
    </svg>
  );
}

const widest = 5;

const markPath =
  'M3 22V11a9 9 0 0 1 18 0v11h-3V11.3a6 6 0 0 0-5.25-5.95V22h-1.5V5.35A6 6 0 0 0 6 11.3V22Zm5.6-8.2a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2Zm6.8 0a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2Z';
