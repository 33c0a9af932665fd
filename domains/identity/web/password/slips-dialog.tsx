import { accountApi } from '@campus/identity/contract'
import { AppModal, call, JobProgress, useJob, useSaving } from '@kit/web'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { user_ids: readonly string[]; onClose: () => void; onDone: () => void }

/** New one-time passwords for several people, printed in a file that can be fetched once. What is closed goes on, and waits in the task centre. */
export function SlipsDialog({ user_ids, onClose, onDone }: Props): ReactNode {
  const [job_no, setJob] = useState<string | null>(null)
  const { busy, refused, run } = useSaving()
  const job = useJob(job_no)
  const start = () => run(async () => {
    const ordered = await call(accountApi.setSysPwd, { user_ids: [...user_ids] }, { quiet: true })
    setJob(ordered.job_no)
    onDone()
  })
  const footer = job_no === null
    ? [<Button key="close" onClick={onClose}>取消</Button>, <Button key="start" type="primary" danger loading={busy} onClick={() => void start()}>生成密码条</Button>]
    : <Button type="primary" onClick={onClose}>关闭</Button>
  return (
    <AppModal open title={`生成密码条（${user_ids.length}人）`} width={520} footer={footer} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} className="pwd-refused" />}
      {job_no === null && <p>为所选人员各生成一个新的一次性密码：原密码立即失效，已登录的设备全部退出，下次登录须修改密码。没有权限处理的人员不受影响，原因列在文件中。</p>}
      {job && <JobProgress job={job} />}
      <Alert type="info" showIcon title="文件只有本人可以下载，且只能下载一次，24 小时内有效；请打印后当面交给本人。" />
    </AppModal>
  )
}
