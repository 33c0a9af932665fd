import { uploadName } from '@kit/contract/checks'
import { CallError } from '../call/envelope.ts'
import { readStored } from '../session/storage.ts'
import { kitPorts } from '../ports.ts'
import { preparePicture } from './prepare-picture.ts'
import { sendForm, tooLarge } from './store-form.ts'
import type { Travel } from './store-form.ts'
import { keepToken } from './token-keeper.ts'

/**
 * What is uploaded: for which purpose and of which FILE_KIND (without it the purpose's first). `prepare`: `photo` makes every picture
 * smaller, `library` leaves a GIF alone, `as_is` sends the file untouched.
 */
export type UploadRule = { purpose: string; kind?: string; /** the FILE_KIND of each file by its name, where the purpose takes several */ kindOf?: (file_name: string) => string | undefined; prepare: 'photo' | 'library' | 'as_is' }
export type Uploaded = { file_key: string; file_name: string; size: number }

/** The one way of a file into a store, for as long as a page lives. */
export type Uploader = { send(file: File, travel?: Travel): Promise<Uploaded>; close(): void }

const statuses_of_old_tokens: readonly number[] = [401, 403]

/** Opens it; `close` when the page goes. A refused token is replaced once and the file sent again. @throws CallError with the sentence to show */
export function openUploader({ purpose, kind, kindOf, prepare }: UploadRule): Uploader {
  const openKeeper = (own: string | undefined) => keepToken(() => kitPorts().uploadToken(own === undefined ? { purpose } : { purpose, kind: own }))
  type Keeper = ReturnType<typeof openKeeper>
  const keepers = new Map<string | undefined, Keeper>()
  const keeperFor = (file_name: string) => {
    const own = kindOf ? kindOf(file_name) : kind
    const keeper = keepers.get(own) ?? openKeeper(own)
    keepers.set(own, keeper)
    return keeper
  }
  const sendOnce = async (get: Keeper['get'], file: Blob, file_name: string | undefined, travel: Travel) => {
    const token = await get()
    if (file.size > token.max_size) throw tooLarge(token.max_size)
    const file_key = token.dir + uploadName(readStored('school_id') ?? '', Date.now(), Math.random(), file_name)
    await sendForm(token, file_key, file, travel)
    return file_key
  }
  return {
    close: () => keepers.forEach(keeper => keeper.stop()),
    async send(file, travel = {}) {
      const is_drawn = prepare === 'photo' ? file.type.startsWith('image/') : prepare === 'library' && file.type.startsWith('image/') && file.type !== 'image/gif'
      const body = is_drawn ? await preparePicture(file) : file
      travel.signal?.throwIfAborted()
      const name = is_drawn ? undefined : file.name
      const keeper = keeperFor(file.name)
      const file_key = await sendOnce(keeper.get, body, name, travel).catch((cause: unknown) => {
        if (!(cause instanceof CallError) || !statuses_of_old_tokens.includes(cause.status)) throw cause
        return sendOnce(keeper.renew, body, name, travel)
      })
      return { file_key, file_name: file.name, size: body.size }
    },
  }
}
