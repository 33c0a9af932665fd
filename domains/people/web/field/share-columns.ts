import type { ColumnLine } from '@campus/people/contract'
import { field_scenes, rollColumnApi } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { call, useCan } from '@kit/web'

/** Makes the columns of a roll those of everybody who has not chosen his own; undefined for whoever may not. */
export function useShareColumns(facet: FieldFacet): ((list: ColumnLine[]) => Promise<boolean>) | undefined {
  const allowed = useCan(rollColumnApi.save)
  if (!allowed) return undefined
  return list => call(rollColumnApi.save, { field_scene: field_scenes[facet], list }).then(() => true, () => false)
}
