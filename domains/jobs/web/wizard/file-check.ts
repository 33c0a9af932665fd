/** What a file is refused with, and what helps. */
export type FileRefusal = { msg: string; advice: string }

const MEGABYTE = 1_048_576

const advices: readonly (readonly [sign: RegExp, advice: string])[] = [
  [/模板不匹配/, '请重新下载模板，把数据粘贴到新模板中再上传，不要改动第 2 行的表头。'],
  [/没有数据/, '数据从第 3 行开始填写，填好并保存后再上传。'],
  [/行，请拆分/, '请把文件拆成几份，逐份导入。'],
  [/大小不能超过/, '请删除图片和空白行，或把文件拆成几份，逐份导入。'],
  [/公式/, '请把含公式的单元格“复制 → 选择性粘贴为数值”，保存后再上传。'],
  [/无法读取|编码/, '文件可能已损坏或设了打开密码：先用 Excel 或 WPS 打开检查，去掉密码后另存为 .xlsx 再上传。'],
  [/格式不支持|不合规/, '请在 Excel 或 WPS 中另存为 .xlsx 或 .csv 后再上传，不要直接改后缀名。'],
]

/** What helps against a refusal of the server. */
export function adviceFor(msg: string): string {
  return advices.find(([sign]) => sign.test(msg))?.[1] ?? '请按模板检查文件后重新上传。'
}

/** Looks at a file before it travels; the sentences are the server's own. Null when it may go. */
export function checkFile(file: { name: string; size: number }, limit: { max_mb: number; extensions: readonly string[] }): FileRefusal | null {
  const msg = refusalOf(file, limit)
  return msg === null ? null : { msg, advice: adviceFor(msg) }
}

function refusalOf(file: { name: string; size: number }, limit: { max_mb: number; extensions: readonly string[] }): string | null {
  const name = file.name.toLowerCase()
  if (!limit.extensions.some((extension) => name.endsWith(extension))) return '文件格式不支持'
  if (file.size > limit.max_mb * MEGABYTE) return `文件大小不能超过${limit.max_mb}MB`
  return file.size === 0 ? '文件中没有数据' : null
}
