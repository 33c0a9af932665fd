import { name_modes, starShowApi } from '@campus/evaluation/contract'
import type { Display } from '@campus/evaluation/contract'
import { pickerApi } from '@campus/people/contract'
import { AppModal, call, leaving, useCan, useSaving, useSettled, validValues } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, InputNumber, Radio, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { dept_id: string; onClose: () => void; onDone: () => void }
const modes = Object.entries(name_modes).map(([value, label]) => ({ value: Number(value), label }))

/** 展示设置: how many stand on the wall, how names are written, who is not shown. */
export function DisplayDialog({ dept_id, onClose, onDone }: Props): ReactNode {
  const display = useCall(starShowApi.display, { dept_id })
  return (
    <Loaded query={display}>
      {loaded => (
        <Settings
          dept_id={dept_id}
          display={loaded}
          onClose={onClose}
          onDone={onDone}
          onChanged={() => {
            void display.refetch()
            onDone()
          }}
        />
      )}
    </Loaded>
  )
}

function Settings({ dept_id, display, onClose, onDone, onChanged }: Props & { display: Display; onChanged: () => void }): ReactNode {
  const [form] = Form.useForm<{ top_n: number; name_mode: number }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (
      !values ||
      !(await run(() => call(starShowApi.setDisplay, { dept_id, ...values, row_version: display.row_version }, { quiet: true }), '已保存'))
    )
      return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={560}
      title="展示设置"
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="star-display" layout="vertical" initialValues={{ top_n: display.top_n, name_mode: display.name_mode }}>
        <Form.Item name="top_n" label="展示人数" rules={[{ required: true, message: '请填写展示人数' }]}>
          <InputNumber min={1} max={20} precision={0} suffix="人" />
        </Form.Item>
        <Form.Item name="name_mode" label="姓名显示">
          <Radio.Group options={modes} />
        </Form.Item>
      </Form>
      <OptedOut display={display} onChanged={onChanged} />
    </AppModal>
  )
}

function OptedOut({ display, onChanged }: { display: Display; onChanged: () => void }): ReactNode {
  const allowed = useCan(pickerApi.student)
  const [text, setText] = useState('')
  const [user_id, choose] = useState<string>()
  const [reason, setReason] = useState('')
  const keyword = useSettled(text)
  const found = useCall(pickerApi.student, { keyword }, { enabled: allowed && keyword !== '' })
  const { busy, act } = useAct([], onChanged)
  const set = async (id: string, shown: boolean) => {
    const done = await act(() => call(starShowApi.optOut, { user_id: id, shown, reason }, { quiet: true }), {
      done: shown ? '已恢复展示' : '已设为不展示',
    })
    if (done) choose(undefined)
  }
  return (
    <section aria-label="不展示的学生">
      <h4>不展示的学生（{display.opted_out.length}）</h4>
      <div className="star-give-foot">
        <Select
          aria-label="学生"
          className="kit-fill"
          disabled={!allowed}
          value={user_id}
          placeholder={allowed ? '输入姓名或学号查找' : '没有选择学生的权限'}
          showSearch={{ filterOption: false, onSearch: setText }}
          onChange={choose}
          options={found.data?.list.map(one => ({ value: one.user_id, label: `${one.user_name} ${one.user_no} ${one.label ?? ''}` })) ?? []}
        />
        <Input
          aria-label="原因"
          placeholder="原因，例如：家长要求"
          maxLength={100}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
        <Button loading={busy} disabled={user_id === undefined} onClick={() => user_id !== undefined && void set(user_id, false)}>
          不展示
        </Button>
      </div>
      <NotShown display={display} onShow={id => void set(id, true)} />
    </section>
  )
}

function NotShown({ display, onShow }: { display: Display; onShow: (user_id: string) => void }): ReactNode {
  return (
    <ul className="star-opted">
      {display.opted_out.map(one => (
        <li key={one.user_id}>
          <span>
            {one.user_name} {one.dept_name}{' '}
            <small>
              {one.reason} {one.valid_from}起
            </small>
          </span>
          <Button type="link" size="small" aria-label={`恢复展示 ${one.user_name}`} onClick={() => onShow(one.user_id)}>
            恢复展示
          </Button>
        </li>
      ))}
    </ul>
  )
}
