import type { ReactNode } from 'react'
import type { NewClassName } from './class-names.ts'

/** The names that are about to be made; those that stand already are struck out. `none`: why there are none. */
export function NamePreview({ names, none }: { names: readonly NewClassName[]; none: string }): ReactNode {
  const taken = names.filter(name => name.taken)
  return (
    <section className="org-preview" aria-label="名称预览" aria-live="polite">
      <h3 className="org-subtitle">{names.length > 0 ? `将新增 ${names.length} 个班级` : '名称预览'}</h3>
      {names.length === 0 && <p className="kit-bad">{none}</p>}
      {taken.length > 0 && <p className="kit-bad">{`${taken.map(name => name.dept_name).join('、')}已存在，请调整班号`}</p>}
      <ul className="org-names">
        {names.map(({ class_no, dept_name, taken: is_taken }) => <li key={class_no}>{is_taken ? <del>{dept_name}</del> : dept_name}</li>)}
      </ul>
    </section>
  )
}
