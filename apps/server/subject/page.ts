import { column_labels, table_labels } from './labels.ts'
import type { HeldTable } from './held.ts'
import type { TakenFile } from './subject-files.ts'

export type Subject = { school_id: number; school_name: string; user_id: string; user_no: string; user_name: string }

/** Everything as one page that any browser shows and prints, without scripts and without anything from elsewhere. */
export function subjectPage(subject: Subject, tables: readonly HeldTable[], files: readonly TakenFile[], made_at: Date, reason: string): string {
  const head = `${subject.user_name}（${subject.user_no}）`
  const sections = tables.map(({ table, columns, rows }) => `<h2>${text(table_labels[table] ?? table)} <small>${rows.length}条</small></h2>\n<div><table>\n<tr>${columns.map(column => `<th>${text(column_labels[column] ?? column)}</th>`).join('')}</tr>\n${rows.map(row => `<tr>${columns.map(column => `<td>${text(shown(row[column]))}</td>`).join('')}</tr>`).join('\n')}\n</table></div>`)
  const listed = files.map(({ file_name, file_key }) => `<li>${file_name === null ? `${text(file_key)}（文件已不存在）` : `<a href="files/${encodeURIComponent(file_name)}">${text(file_name)}</a>`}</li>`)
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="UTF-8"><title>${text(head)} 个人信息副本</title>
<style>body{font:14px/1.6 sans-serif;margin:24px}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:2px 8px;text-align:left;vertical-align:top}div{overflow-x:auto}small{color:#666;font-weight:400}</style></head>
<body><h1>${text(head)} 个人信息副本</h1>
<p>${text(subject.school_name)}，${text(made_at.toISOString())} 导出。导出原因：${text(reason)}</p>
<p>包含系统中保存的与本人有关的全部记录；密码、令牌等只用于验证的内容，以及其他人的信息不在其中。同一内容的机器可读版本见 data.json，本人的文件见 files 目录。</p>
${sections.join('\n')}
${listed.length === 0 ? '' : `<h2>本人的文件 <small>${listed.length}个</small></h2>\n<ul>\n${listed.join('\n')}\n</ul>`}
</body></html>
`
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
