import { usePage } from '@kit/web'
import type { PageSearch } from '@kit/web'

/** Names under which an open import stands in the address bar; lists of the same page leave them alone. */
export const importSearchNames: readonly string[] = ['import', 'batch_no']

/** The open import of a page. It stands in the address bar, so that a reload comes back to the same batch and step. */
export type ImportDoor = { template: string | undefined; open: (template: string) => void; close: () => void }

/** Opens and closes imports of the surrounding page. */
export function useImportDoor(): ImportDoor {
  const { search, setSearch } = usePage()
  return {
    template: search.import,
    open: (template) => setSearch({ ...withoutImport(search), import: template }),
    close: () => setSearch(withoutImport(search)),
  }
}

function withoutImport(search: PageSearch): PageSearch {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !importSearchNames.includes(name)))
}

/** The address with another batch, or none, in the open import. */
export function withBatch(search: PageSearch, batch_no: string | undefined): PageSearch {
  const { batch_no: _, ...rest } = search
  return batch_no === undefined ? rest : { ...rest, batch_no }
}
