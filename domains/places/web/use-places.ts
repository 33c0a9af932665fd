import { placeApi } from '@campus/places/contract'
import type { PlaceNode } from '@campus/places/contract'
import { holdsName } from '@kit/contract/checks'
import { call, readStored } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeviceCount } from './ports.ts'

/** The whole tree the reader may see, as it is today or was on a day. */
export function usePlaces(at: string | undefined) {
  return useQuery({ queryKey: [placeApi.tree.call, at ?? ''], queryFn: async ({ signal }) => (await call(placeApi.tree, { lazy: '0', at }, { signal, quiet: true })).list, placeholderData: before => before })
}

/** The last moment of a school day, as an instant; undefined for now. */
export function endOf(day: string | undefined): string | undefined {
  return day === undefined ? undefined : `${day}T23:59:59+08:00`
}

/** Devices in and below every place. */
export function countsBelow(nodes: readonly PlaceNode[], counts: ReadonlyMap<string, DeviceCount>): Map<string, DeviceCount> {
  const sums = new Map<string, DeviceCount>()
  const sum = (node: PlaceNode): DeviceCount => {
    const own = counts.get(node.place_id) ?? { total: 0, online: 0 }
    const below = (node.children ?? []).map(sum)
    const all = [own, ...below].reduce((a, b) => ({ total: a.total + b.total, online: a.online + b.online }))
    sums.set(node.place_id, all)
    return all
  }
  nodes.forEach(sum)
  return sums
}

/** One place with who looks after it. */
export function usePlace(id: string) {
  return useQuery({ queryKey: [placeApi.detail.call, id], queryFn: ({ signal }) => call(placeApi.detail, { id }, { signal, quiet: true }) })
}

/** Reads everything about places again. */
export function usePlacesChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([placeApi.tree.call, placeApi.detail.call, placeApi.history.call, placeApi.addable.call].map(name => client.invalidateQueries({ queryKey: [name] })))
  }
}

/** Every place of a tree, parents before children. */
export function flatten(nodes: readonly PlaceNode[]): PlaceNode[] {
  return nodes.flatMap(node => [node, ...flatten(node.children ?? [])])
}

/** The tree with the places whose name holds the text, and the ways down to them. */
export function matching(nodes: readonly PlaceNode[], text: string): PlaceNode[] {
  if (text === '') return [...nodes]
  return nodes.flatMap(node => {
    const children = matching(node.children ?? [], text)
    return holdsName(node.place_name, text) || children.length > 0 ? [{ ...node, children: holdsName(node.place_name, text) && children.length === 0 ? node.children : children }] : []
  })
}

/** An enterprise has places, but no classes that live in them. */
export function hasClasses(): boolean {
  return readStored('school_type') !== '2'
}
