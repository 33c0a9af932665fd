import type { Place } from '@campus/places/contract'

/** The dialog that stands open. */
export type Opened =
  | { view: 'new'; above: Place | null }
  | { view: 'edit'; place: Place }
  | { view: 'generate'; above: Place }
  | { view: 'move'; place: Place; target: string | undefined }
  | { view: 'home'; place: Place }
  | { view: 'homes' }
  | { view: 'close'; place: Place }
  | null
