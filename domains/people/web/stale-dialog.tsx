import { AppModal, instantText } from '@kit/web'
import { Button } from 'antd'
import type { ReactNode } from 'react'

/** One field that somebody else has changed, or I have; `mine` null or absent: not changed by me. */
type StaleField = { field: string; label: string; mine?: string | null; theirs: string }
type Props = {
  /** what was changed: 这份档案, 该部门 */
  what: string
  by: { user_name: string; at: string } | null
  /** null: nobody has changed it, the dialog is gone */
  fields: readonly StaleField[] | null
  overwrite: () => void
  discard: () => void
  goOn: () => void
}

/** Shows field by field what another person has changed meanwhile, beside one's own text (chapter 20 rule 2). */
export function StaleDialog({ what, by, fields, overwrite, discard, goOn }: Props): ReactNode {
  const footer = [
    <Button key="discard" danger onClick={discard}>
      放弃
    </Button>,
    <Button key="go-on" onClick={goOn}>
      继续编辑
    </Button>,
    <Button key="overwrite" type="primary" onClick={overwrite}>
      用我的覆盖
    </Button>,
  ]
  return (
    <AppModal open={fields !== null} width={640} title="数据已被他人修改，请核对差异后再保存" footer={footer} onCancel={goOn}>
      <p className="people-stale-hint">
        {by ? `${by.user_name} 于 ${instantText(by.at)} 修改了${what}。` : `${what}已被修改。`}「放弃」将载入当前值，「继续编辑」回到表单，填写的内容不变。
      </p>
      <table className="people-stale">
        <thead>
          <tr>
            <th scope="col">字段</th>
            <th scope="col">我的修改</th>
            <th scope="col">当前值</th>
          </tr>
        </thead>
        <tbody>
          {fields?.map(({ field, label, mine, theirs }) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              <Mine text={mine ?? null} />
              <td>{theirs || '（空）'}</td>
            </tr>
          ))}
          {fields?.length === 0 && (
            <tr>
              <td colSpan={3}>显示的内容没有差异</td>
            </tr>
          )}
        </tbody>
      </table>
    </AppModal>
  )
}

function Mine({ text }: { text: string | null }): ReactNode {
  return text === null ? <td className="people-stale-same">未修改</td> : <td className="people-stale-mine">{text || '（清空）'}</td>
}
