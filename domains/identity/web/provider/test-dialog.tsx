import { adapter_facts, providerApi } from '@campus/identity/contract'
import type { ProviderRow, ProviderStep } from '@campus/identity/contract'
import type { Reply } from '@kit/contract'
import { AppModal, call, sentenceOf } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const ask_ms = 1500

/** 测试登录: out to the provider in another window and back, each step with how it went. Nobody is signed in by it. */
export function TestDialog({ row, onClose }: { row: ProviderRow; onClose: () => void }): ReactNode {
  const [round, setRound] = useState(0)
  const { shape, adapter } = row
  const begun = useQuery({
    queryKey: [providerApi.test.call, shape, adapter, round],
    queryFn: () => call(providerApi.test, { shape, adapter }, { quiet: true }),
    gcTime: 0, staleTime: Infinity, retry: false, refetchOnWindowFocus: false,
  })
  return (
    <AppModal open width={560} title={`测试登录：${row.label}`} onCancel={onClose} footer={<><Button onClick={() => setRound(round + 1)}>重新测试</Button><Button type="primary" onClick={onClose}>关闭</Button></>}>
      {begun.isError && <Alert type="warning" showIcon title={sentenceOf(begun.error)} />}
      {begun.isPending && <Skeleton active paragraph={{ rows: 3 }} />}
      {begun.data && <Trip key={begun.data.test_no} begun={begun.data} name={adapter_facts[adapter].name} />}
    </AppModal>
  )
}

function Trip({ begun, name }: { begun: Reply<typeof providerApi.test>; name: string }): ReactNode {
  const { test_no, url } = begun
  const [is_out, setOut] = useState(false)
  const result = useQuery({
    queryKey: [providerApi.testResult.call, test_no],
    queryFn: ({ signal }) => call(providerApi.testResult, { test_no }, { signal, quiet: true }),
    enabled: is_out,
    refetchInterval: ({ state }) => (state.data?.is_over ? false : ask_ms),
  })
  const { steps, is_over } = result.data ?? begun
  const go = () => {
    setOut(true)
    if (url !== null) window.open(url, '_blank', 'noopener')
  }
  return (
    <div data-ready={is_over ? 'tested' : undefined}>
      <ol className="provider-steps" aria-live="polite">{steps.map((step, place) => <StepLine key={`${place}/${step.name}`} step={step} />)}</ol>
      {!is_over && !is_out && <p className="provider-next">设置检查通过。<Button type="primary" onClick={go}>前往{name}</Button></p>}
      {!is_over && is_out && <p className="provider-next" role="status">已打开新窗口，请在其中完成登录；返回后这里自动显示结果。<Button size="small" onClick={go}>没有弹出？重新打开</Button></p>}
      {is_over && <Alert type={steps.every(step => step.ok) ? 'success' : 'warning'} showIcon title={steps.every(step => step.ok) ? '测试通过，可以启用' : '测试未通过，请按上面的原因修改设置后重新测试'} />}
    </div>
  )
}

function StepLine({ step: { name, ok, detail } }: { step: ProviderStep }): ReactNode {
  return (
    <li data-ok={ok}>
      <span aria-hidden="true">{ok ? '✔' : '✘'}</span>
      <b>{name}<span className="kit-hidden">{ok ? '成功' : '失败'}</span></b>
      {detail !== '' && <small>{detail}</small>}
    </li>
  )
}
