import type { Visit } from './visit.ts'

/** Neither query nor school id: the only address that shows the filing notice. */
export function isBare({ school_id, search }: Visit): boolean {
  return school_id === undefined && search.length < 2
}
