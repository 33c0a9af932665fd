import { AppModal, CallError, Can, toast } from '@kit/web'
import type { Endpoint } from '@kit/contract'
import { ExportOutlined } from '@ant-design/icons'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { code: Endpoint; total: number; is_bounded: boolean; run: (reason: string) => Promise<void> }

/** 导出 of the filtered journal; the reason goes into the log. */
export function LogExport({ code, ...props }: Props): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <Can code={code}>
      <Button icon={<ExportOutlined aria-hidden />} onClick={() => setOpen(true)}>导出</Button>
      {open && <ExportDialog {...props} close={() => setOpen(false)} />}
    </Can>
  )
}

function ExportDialog({ total, is_bounded, run, close }: Omit<Props, 'code'> & { close: () => void }): ReactNode {
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await run(reason)
      toast.success('导出完成')
      close()
    } catch (cause) {
      setRefusal(cause instanceof CallError && cause.msg !== '' ? cause.msg : '网络异常，请检查网络')
    } finally {
      setBusy(false)
    }
  }
  return (
    <AppModal open title="导出日志" width={520} okText="导出" confirmLoading={busy} okButtonProps={{ disabled: reason.trim() === '' }} onOk={() => void start()} onCancel={close}>
      <Form layout="vertical">
        <Form.Item label="导出原因" htmlFor="audit-reason" required extra={`将导出当前筛选下的 ${total.toLocaleString('en')}${is_bounded ? '+' : ''} 条，一次最多 5,000 条；导出会记入操作日志`}>
          <Input.TextArea id="audit-reason" rows={2} maxLength={100} value={reason} onChange={event => setReason(event.target.value)} />
        </Form.Item>
      </Form>
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </AppModal>
  )
}
