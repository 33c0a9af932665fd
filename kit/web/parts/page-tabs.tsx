import type { KeyboardEvent, ReactNode } from 'react'

type Tab<Key extends string> = { key: Key; label: string }

/** The tabs of a page: a light strip (antd's own tabs weigh 20 KiB); ← → move. */
export function PageTabs<Key extends string>({ tabs, value, onChange }: { tabs: readonly Tab<Key>[]; value: Key; onChange: (key: Key) => void }): ReactNode {
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const next = steps === undefined ? undefined : tabs[tabs.findIndex((tab) => tab.key === value) + steps]
    if (!next) return
    onChange(next.key)
    event.currentTarget.parentElement?.querySelector<HTMLButtonElement>(`[data-key="${next.key}"]`)?.focus()
  }
  return (
    <div className="kit-tabs" role="tablist">
      {tabs.map(({ key, label }) => (
        <button key={key} type="button" role="tab" data-key={key} aria-selected={key === value} tabIndex={key === value ? 0 : -1} onKeyDown={move} onClick={() => onChange(key)}>
          {label}
        </button>
      ))}
    </div>
  )
}
