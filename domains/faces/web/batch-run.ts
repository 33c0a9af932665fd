import { face_concurrency, faceBatchApi, most_in_call } from '@campus/faces/contract'
import type { FaceItem } from '@campus/faces/contract'
import { call, sentenceOf } from '@kit/web'
import type { Uploader } from '@kit/web/upload'

/** A picture of the folder, under the number it has in the batch. */
export type Chosen = { item_seq: number; file: File; file_name: string }
type Stage = '上传照片' | '检测人脸' | '正在导入'
type Run = { batch_id: string; items: readonly FaceItem[]; files: ReadonlyMap<number, File>; uploader: Uploader; signal: AbortSignal; onStage: (stage: Stage) => void; onStep: () => void }

const register_at_once = 500
const [waits, uploaded] = [0, 1] as const

/** Says which pictures come, and learns whose each is. @returns the batch and its pictures */
export async function registerFiles(kind: number, replace_existing: boolean, chosen: readonly Chosen[]): Promise<{ batch_id: string; items: FaceItem[] }> {
  let batch_id: string | undefined
  const items: FaceItem[] = []
  for (let at = 0; at < chosen.length; at += register_at_once) {
    const files = chosen.slice(at, at + register_at_once).map(({ item_seq, file_name, file }) => ({ item_seq, file_name, size: file.size }))
    const opened = await call(faceBatchApi.open, { kind, replace_existing, files, ...(batch_id === undefined ? {} : { batch_id }) }, { quiet: true })
    batch_id = opened.batch_id
    items.push(...opened.items)
  }
  return { batch_id: batch_id ?? '', items }
}

/** Uploads, has looked at, and takes over what of a batch still waits, five at a time; what has arrived before is not sent again (chapter 40 §5). */
export async function runBatch({ batch_id, items, files, uploader, signal, onStage, onStep }: Run): Promise<void> {
  const keys = new Map(items.flatMap(item => (item.file_key === null ? [] : [[item.item_seq, item.file_key]])))
  onStage('上传照片')
  await fiveAtATime(items.filter(item => item.step === waits), signal, async ({ item_seq }) => {
    const file = files.get(item_seq)
    if (!file) return
    const key = await uploader.send(file, { signal }).then(sent => sent.file_key, (cause: unknown) => new Error(sentenceOf(cause)))
    if (signal.aborted) return
    await call(faceBatchApi.uploaded, key instanceof Error ? { batch_id, item_seq, face_pics: null, msg: key.message } : { batch_id, item_seq, face_pics: key }, { quiet: true })
    if (!(key instanceof Error)) keys.set(item_seq, key)
    onStep()
  })
  onStage('检测人脸')
  const here = items.filter(item => keys.has(item.item_seq))
  await fiveAtATime(here.filter(item => item.step <= uploaded), signal, async ({ item_seq }) => {
    // A detector that cannot answer counts as passing: the import call says what became of the picture (chapter 40 rule 28).
    await call(faceBatchApi.detect, { batch_id, item_seq }, { quiet: true }).catch(() => null)
    onStep()
  })
  onStage('正在导入')
  for (let at = 0; at < here.length && !signal.aborted; at += most_in_call) {
    const faces = here.slice(at, at + most_in_call).map(({ item_seq, user_id }) => ({ id: item_seq, user_id: user_id ?? '', face_pics: keys.get(item_seq) ?? '' }))
    await call(faceBatchApi.importFaces, { batch_id, faces }, { quiet: true })
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
