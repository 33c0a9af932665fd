export type RefusalReason = 'not_allowed' | 'too_big' | 'too_many_rows' | 'no_data' | 'unreadable' | 'bad_encoding' | 'bad_text'

export interface RefusalLimits {
  /** Data rows, not counting the lines above them. */
  max_rows: number
  /** Bytes of the uploaded file. */
  max_bytes: number
}

/**
 * A sheet that must not or cannot be read. `message` is the sentence for the user, `reason` is for code.
 * Source of the sentences: the common import rules (limits, macro, disguise, empty file).
 */
export class SheetRefused extends Error {
  override readonly name = 'SheetRefused'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, limits: RefusalLimits = { max_rows: 20_000, max_bytes: 20 * 1024 * 1024 }) {
    super(sentence(reason, limits))
    this.reason = reason
  }
}

function sentence(reason: RefusalReason, limits: RefusalLimits): string {
  switch (reason) {
    case 'not_allowed':
      return '文件不合规，已拒绝'
    case 'too_big':
      return `文件大小不能超过${Math.floor(limits.max_bytes / 1024 / 1024)}MB`
    case 'too_many_rows':
      return `超过${limits.max_rows}行，请拆分后导入`
    case 'no_data':
      return '文件中没有数据'
    case 'unreadable':
      return '文件无法读取，请用Excel或WPS另存为xlsx后重新上传'
    case 'bad_text':
      return '文件中有无法识别的字符，请删除后重新上传'
    case 'bad_encoding':
      return '文件编码无法识别，请另存为xlsx或UTF-8编码的CSV'
  }
}
