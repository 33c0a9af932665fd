import type { ReactNode } from 'react'

/** A tag as people see it: its colour is a dot, so that the name stays legible on every colour. */
export function TagChip({ name, color }: { name: string; color: string }): ReactNode {
  return <span className="tag-chip" data-color={color} title={name}>{name}</span>
}
