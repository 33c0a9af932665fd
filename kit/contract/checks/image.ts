import type { Verdict } from './verdict.ts'

/** What the browser's resizing gave: null or an empty result means the picture cannot be uploaded (platform rule F4). */
export function checkResized(result: { size: number } | null): Verdict {
  return result && result.size > 0 ? null : '图片上传失败，请检查图片是否正常'
}
