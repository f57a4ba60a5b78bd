import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface Tab<Name extends string> {
  name: Name;
  label: string;
  /** The address that shows it. */
  href: string;
}

interface Props<Name extends string> {
  /** What the tabs are of, for screen readers. */
  label: string;
  tabs: readonly Tab<Name>[];
  selected: Name;
  /** The content of the selected tab. */
  children: ComponentChildren;
}

/** Where a key leads from a tab, as https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ has it; undefined: nowhere. */
function targetOf(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Tabs whose selection is the address. A tab that gets the focus by an arrow key is selected at once. */
export function Tabs<Name extends string>({ label, tabs, selected, children }: Props<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(({ name }) => name === selected);
    const target = targetOf(event.key, index, tabs.length);
    const tab = target === undefined ? undefined : tabs[target];
    if (tab === undefined) return;
    event.preventDefault();
    // Without an entry in the history for each step of the arrow.
    location.replace(tab.href);
    list.current?.querySelector<HTMLElement>(`#tab-${tab.name}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <a
            key={tab.name}
            id={`tab-${tab.name}`}
            role="tab"
            href={tab.href}
            aria-selected={tab.name === selected}
            aria-controls="tab-panel"
            tabIndex={tab.name === selected ? 0 : -1}
          >
            {tab.label}
          </a>
        ))}
      </div>
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${selected}`} key={selected}>
        {children}
      </div>
    </>
  );
}
