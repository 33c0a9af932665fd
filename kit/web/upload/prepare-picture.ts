import { checkResized } from '@kit/contract/checks'
import { CallError } from '../call/envelope.ts'
import { drawOnPage } from './draw-picture.ts'

/**
 * A picture as it is sent: smaller, upright, without what the camera wrote into it. Drawn in a worker where the browser can, so that the page goes on answering.
 * @throws CallError 图片上传失败，请检查图片是否正常
 */
export async function preparePicture(file: File): Promise<Blob> {
  const drawn = await (typeof OffscreenCanvas === 'undefined' ? drawOnPage(file) : inWorker(file)).catch(() => null)
  const refusal = checkResized(drawn)
  if (drawn === null || refusal !== null) throw new CallError({ status: 0, code: 415, msg: refusal ?? '' })
  return drawn
}

function inWorker(file: File): Promise<Blob | null> {
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), { type: 'module' })
  const answered = new Promise<Blob | null>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data instanceof Blob ? data : null))
    worker.addEventListener('error', () => reject(new Error('the worker stopped')))
  })
  worker.postMessage(file)
  return answered.finally(() => worker.terminate())
}
