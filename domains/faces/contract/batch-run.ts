import { face_concurrency, faceBatchApi, most_in_call } from './batch.ts'
import type { FaceItem } from './batch.ts'
import type { Call, Reply, Request as RequestOf } from '@kit/contract'

/** A picture of the folder, under the number it has in the batch. */
export type Chosen = { item_seq: number; file: File; file_name: string }
type Stage = '上传照片' | '检测人脸' | '正在导入'
/** How a run speaks to the server: it says nothing to the page itself. */
export type Ways = {
  call<E extends Call>(endpoint: E, input: RequestOf<E>): Promise<Reply<E>>
  /** @returns the key of the file */
  send(file: File, signal: AbortSignal): Promise<string>
  faultOf(cause: unknown): string
}
type Run = {
  ways: Ways
  batch_id: string
  items: readonly FaceItem[]
  files: ReadonlyMap<number, File>
  signal: AbortSignal
  onStage: (stage: Stage) => void
  onStep: () => void
}

const register_at_once = 500
const [waits, uploaded] = [0, 1] as const

type Registered = { batch_id: string; items: FaceItem[] }
/** Says which pictures come, and learns whose each is. @returns the batch and its pictures */
export async function registerFiles({ call }: Pick<Ways, 'call'>, kind: number, replace_existing: boolean, chosen: readonly Chosen[]): Promise<Registered> {
  let batch_id: string | undefined
  const items: FaceItem[] = []
  for (let at = 0; at < chosen.length; at += register_at_once) {
    const files = chosen.slice(at, at + register_at_once).map(({ item_seq, file_name, file }) => ({ item_seq, file_name, size: file.size }))
    const opened = await call(faceBatchApi.open, { kind, replace_existing, files, ...(batch_id === undefined ? {} : { batch_id }) })
    batch_id = opened.batch_id
    items.push(...opened.items)
  }
  return { batch_id: batch_id ?? '', items }
}

/** Uploads, has looked at, and takes over what of a batch still waits, five at a time; what has arrived before is not sent again (chapter 40 §5). */
export async function runBatch({ ways, batch_id, items, files, signal, onStage, onStep }: Run): Promise<void> {
  const { call, send, faultOf } = ways
  const keys = new Map(items.flatMap(item => (item.file_key === null ? [] : [[item.item_seq, item.file_key]])))
  onStage('上传照片')
  await fiveAtATime(items.filter(item => item.step === waits), signal, async ({ item_seq }) => {
    const file = files.get(item_seq)
    if (!file) return
    const key = await send(file, signal).catch((cause: unknown) => new Error(faultOf(cause)))
    if (signal.aborted) return
    const arrived = key instanceof Error ? { face_pics: null, msg: key.message } : { face_pics: key }
    await call(faceBatchApi.uploaded, { batch_id, item_seq, ...arrived })
    if (!(key instanceof Error)) keys.set(item_seq, key)
    onStep()
  })
  onStage('检测人脸')
  const here = items.filter(item => keys.has(item.item_seq))
  await fiveAtATime(here.filter(item => item.step <= uploaded), signal, async ({ item_seq }) => {
    // A detector that cannot answer counts as passing: the import call says what became of the picture (chapter 40 rule 28).
    await call(faceBatchApi.detect, { batch_id, item_seq }).catch(() => null)
    onStep()
  })
  onStage('正在导入')
  for (let at = 0; at < here.length && !signal.aborted; at += most_in_call) {
    const faces = here.slice(at, at + most_in_call).map(({ item_seq, user_id }) => ({ id: item_seq, user_id: user_id ?? '', face_pics: keys.get(item_seq) ?? '' }))
    await call(faceBatchApi.importFaces, { batch_id, faces })
    onStep()
  }
}

async function fiveAtATime<T>(all: readonly T[], signal: AbortSignal, work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  const lane = async () => {
    for (const one of left) {
      if (signal.aborted) return
      await work(one)
    }
  }
  await Promise.all(Array.from({ length: face_concurrency }, lane))
}
