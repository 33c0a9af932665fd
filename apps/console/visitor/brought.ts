import type { Visit } from './visit.ts'

/** A document that lies in the store already and waits for the form to be sent. */
export type Brought = { material: string; file_key: string; file_name: string }

const picture_kind = '1'
const document_kind = '3'
const kinds: Readonly<Record<string, string>> = { jpg: picture_kind, jpeg: picture_kind, png: picture_kind, webp: picture_kind, pdf: document_kind }
const name = ({ key }: Visit) => `campus_visit_${key}_files`

/** Files of one material. */
export const most_files = 3
export const accepted = Object.keys(kinds).map(ext => `.${ext}`).join()

/** What a file is by its name: its extension and which form takes it; null for anything else. */
export function kindOf(file_name: string): { ext: string; kind: string } | null {
  const ext = file_name.slice(file_name.lastIndexOf('.') + 1).toLowerCase()
  const kind = kinds[ext]
  return kind === undefined ? null : { ext, kind }
}

/** What was uploaded before and not sent yet; a browser that keeps nothing begins anew. */
export function readBrought(visit: Visit): Brought[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name(visit)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isBrought) : []
  } catch {
    return []
  }
}

function isBrought(one: unknown): one is Brought {
  return typeof one === 'object' && one !== null && ['material', 'file_key', 'file_name'].every(part => typeof new Map(Object.entries(one)).get(part) === 'string')
}

/** Keeps what is uploaded until the form is sent; null forgets it. */
export function keepBrought(visit: Visit, files: readonly Brought[] | null): void {
  try {
    if (files === null) sessionStorage.removeItem(name(visit))
    else sessionStorage.setItem(name(visit), JSON.stringify(files))
  } catch {
    // A full or forbidden store: the page itself still holds the list.
  }
}
