import { AppModal, instantText } from '@kit/web'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { StaleFile } from './refusal.ts'

type Props = { stale: StaleFile | null; overwrite: () => void; discard: () => void; goOn: () => void }

/** Shows field by field what another person has changed meanwhile, beside one's own text (chapter 20 rule 2). */
export function StaleDialog({ stale, overwrite, discard, goOn }: Props): ReactNode {
  const by = stale?.changed_by
  const footer = [
    <Button key="discard" danger onClick={discard}>
      放弃
    </Button>,
    <Button key="overwrite" type="primary" onClick={overwrite}>
      用我的覆盖
    </Button>,
  ]
  return (
    <AppModal open={stale !== null} width={640} title="数据已被他人修改，请核对差异后再保存" footer={footer} onCancel={goOn}>
      <p className="file-hint">
        {by ? `${by.user_name} 于 ${instantText(by.at)} 修改了这份档案。` : '这份档案已被修改。'}「放弃」将载入当前值，关闭本窗口可继续编辑。
      </p>
      <table className="file-differences">
        <thead>
          <tr>
            <th scope="col">字段</th>
            <th scope="col">我的修改</th>
            <th scope="col">当前值</th>
          </tr>
        </thead>
        <tbody>
          {stale?.differences.map(({ field, label, mine, theirs }) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              <td className={mine === undefined ? 'kit-none' : 'file-mine'}>{mine === undefined ? '未修改' : mine || '（清空）'}</td>
              <td>{theirs || '（空）'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </AppModal>
  )
}
