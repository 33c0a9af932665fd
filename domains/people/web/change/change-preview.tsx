import { moduleName } from '@campus/audit/contract'
import type { ChangePreview, ChangeSubject } from '@campus/people/contract'
import { Alert, Tag } from 'antd'
import type { ReactNode } from 'react'
import { staffSide } from '../staff/words.ts'
import { imageText } from './change-words.ts'

const SHOWN = 50

/** Whom a command is about. */
export type Facet = 'student' | 'staff'

/** What the command will do: who goes from where to where, what else follows, and what stands in the way. */
export function Preview({ preview, facet = 'student' }: { preview: ChangePreview; facet?: Facet }): ReactNode {
  const { subjects, effects, blocks } = preview
  return (
    <>
      {blocks.length > 0 && (
        <Alert
          type="error"
          showIcon
          title="暂不能办理"
          description={
            <ul className="change-lines">
              {blocks.map(({ code, title, user_id }) => (
                <li key={`${code} ${user_id}`}>{title}</li>
              ))}
            </ul>
          }
        />
      )}
      <SubjectTable subjects={subjects} facet={facet} />
      <h3 className="change-title">同时处理</h3>
      {[...Map.groupBy(effects, effect => effect.domain)].map(([domain, own]) => (
        <section key={domain} className="change-domain" aria-label={moduleName(domain)}>
          <h4>{moduleName(domain)}</h4>
          <ul className="change-lines">
            {own.map(({ effect_code, title, count, undoable, detail }) => (
              <li key={effect_code}>
                <b>{title}</b> <span className="kit-number">{count}</span> 项 {!undoable && <Tag color="orange">不可撤销</Tag>}
                {detail !== null && <small className="change-hint">{detail}</small>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** The people of a command, before and after. */
export function SubjectTable({ subjects, facet }: { subjects: readonly ChangeSubject[]; facet: Facet }): ReactNode {
  const sideText = facet === 'staff' ? staffSide : imageText
  return (
    <div className="change-people">
      <table className="change-table">
        <thead>
          <tr>
            <th scope="col">姓名</th>
            <th scope="col">{facet === 'staff' ? '工号' : '学号'}</th>
            <th scope="col">变更前</th>
            <th scope="col">变更后</th>
          </tr>
        </thead>
        <tbody>
          {subjects.slice(0, SHOWN).map(subject => (
            <tr key={subject.user_id}>
              <th scope="row" title={subject.user_name}>{subject.user_name}</th>
              <td className="kit-number">{subject.user_no}</td>
              <td>{sideText(subject.before)}</td>
              <td className="change-after">
                {sideText(subject.after)}
                {subject.warnings.map(warning => (
                  <div key={warning} className="people-missing">{warning}</div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {subjects.length > SHOWN && <p className="change-hint">另有 {subjects.length - SHOWN} 人</p>}
    </div>
  )
}
