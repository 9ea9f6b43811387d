import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';

interface MenuPlateProps {
  readonly side?: 'top' | 'bottom';
  readonly align?: 'start' | 'center' | 'end';
  readonly className?: string;
  readonly children: ReactNode;
}

export function MenuPlate({ side = 'bottom', align = 'start', className, children }: MenuPlateProps) {
  return (
    <Menu.Portal>
      <Menu.Positioner side={side} align={align} sideOffset={6} className="z-40">
        <Menu.Popup className={classes('floating min-w-48 p-1 outline-none', className)}>
          {children}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  );
}

interface MenuEntryProps {
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

export function MenuEntry({ icon, isDanger = false, onClick, children }: MenuEntryProps) {
  return (
    <Menu.Item className={classes(menuEntryClasses, isDanger && 'text-danger')} onClick={onClick}>
      {icon === undefined ? <span className="w-[18px]" /> : <Icon name={icon} />}
      {children}
    </Menu.Item>
  );
}

export const menuEntryClasses =
  'flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-[0.9375rem] outline-none select-none data-highlighted:bg-sunken';

export function MenuLine() {
  return <Menu.Separator className="mx-1 my-1 h-px bg-hairline" />;
}
