import { checkChosen, files_limit } from '@kit/contract/checks'
import { useEffect, useRef, useState } from 'react'
import { sentenceOf } from '../form/use-saving.ts'
import { toast } from '../parts/toast.ts'
import { useUploader } from './use-uploader.ts'
import type { Uploaded, Uploader, UploadRule } from './uploader.ts'

/** One chosen file that is not yet in its store. `part` 0–1 while it travels, null while it waits; `failed` says why it did not arrive. */
export type Waiting = { id: number; file: File; part: number | null; failed: string | null }
export type Uploads = {
  waiting: readonly Waiting[]
  add(files: readonly File[]): void
  /** takes a file away again: one that travels is stopped, one that has arrived is no longer part of the value */
  drop(id: number): void
  retry(id: number): void
}

const at_once = 3

/** Sends chosen files, three at a time, and hands over those that have arrived. `most`: how many the value may hold. */
export function useUploads(rule: UploadRule, most: number, onArrived: (file: Uploaded) => void): Uploads {
  const uploader = useUploader(rule)
  const [waiting, setWaiting] = useState<readonly Waiting[]>([])
  const stops = useRef(new Map<number, AbortController>())
  const next = useRef(1)
  useEffect(() => {
    const open = stops.current
    return () => {
      for (const stop of open.values()) stop.abort()
    }
  }, [])
  const patch = (id: number, change: Partial<Waiting>) => setWaiting(list => list.map(one => (one.id === id ? { ...one, ...change } : one)))
  const leave = (id: number) => setWaiting(list => list.filter(one => one.id !== id))
  const start = async (entry: Waiting) => {
    const stop = stops.current.get(entry.id) ?? new AbortController()
    stops.current.set(entry.id, stop)
    const sent = await attempt(uploader, entry, stop, part => patch(entry.id, { part }))
    stops.current.delete(entry.id)
    if (sent === 'stopped') return
    if (typeof sent === 'string') return patch(entry.id, { part: null, failed: sent })
    leave(entry.id)
    onArrived(sent)
  }
  return {
    waiting,
    add(files) {
      const told = checkChosen(files.length)
      if (told !== null) toast.warning(told)
      const fresh = files.slice(0, Math.min(files_limit, most)).map(file => ({ id: next.current++, file, part: null, failed: null }))
      for (const { id } of fresh) stops.current.set(id, new AbortController())
      setWaiting(list => [...list, ...fresh])
      void inTurns(fresh, start)
    },
    drop(id) {
      stops.current.get(id)?.abort()
      leave(id)
    },
    retry(id) {
      const entry = waiting.find(one => one.id === id)
      if (!entry) return
      patch(id, { part: null, failed: null })
      void start(entry)
    },
  }
}

/** Works on all of them, three at a time. */
async function inTurns<T>(all: readonly T[], start: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await start(one)
  }
  await Promise.all(Array.from({ length: at_once }, work))
}

/** The file in its store, the sentence with which it was refused, or that it was stopped. */
async function attempt(uploader: Uploader, { file }: Waiting, stop: AbortController, onProgress: (part: number) => void): Promise<Uploaded | string> {
  try {
    return await uploader.send(file, { signal: stop.signal, onProgress })
  } catch (cause) {
    return stop.signal.aborted ? 'stopped' : sentenceOf(cause)
  }
}
