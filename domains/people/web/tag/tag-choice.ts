/** A tag to filter by or to give. */
export type TagChoice = { value: string; label: string; color: string; kind: 'manual' | 'rule'; person_kinds: readonly number[] }
