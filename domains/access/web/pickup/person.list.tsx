import { confirm_states, pickupPersonApi, pickupPersonList } from '@campus/access/contract'
import type { PickupPersonDraft, PickupPersonRow } from '@campus/access/contract'
import {
  AppModal,
  call,
  Can,
  fieldsOf,
  Filters,
  ImportButton,
  leaving,
  ListPage,
  Table,
  useDictionary,
  useResourceList,
  useSaving,
  validValues,
} from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { dayjs } from '@kit/web/day'
import { ListExport } from '@kit/web/export'
import { PictureField } from '@kit/web/upload'
import { Alert, Button, DatePicker, Form, Image, Input, Select, Tag } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PeopleChoice } from '../grant/choices.tsx'

const AddDialog = lazyDialog(() => Promise.resolve(AddPerson))
const SettleDialog = lazyDialog(() => Promise.resolve(Settle))
const state_names: Readonly<Record<string, string>> = confirm_states
const colors: Readonly<Record<number, string>> = { 0: 'orange', 1: 'green', 2: 'default' }
const [waits, ended, student_scene] = [0, 2, 1] as const
const photo_rule = { purpose: 'avatar', kind: '1', prepare: 'photo' } as const
type Act = 'confirm' | 'stop'
type Frame = { onClose: () => void; onDone: () => void }

const fields = fieldsOf(pickupPersonList, {
  person_name: {
    cell: row => (
      <>
        {row.photo_url !== null && <Image className="access-photo" width={28} src={row.photo_url} alt={`${row.person_name}的照片`} />}{' '}
        {row.person_name}
      </>
    ),
  },
  confirm_state: { cell: row => <Tag color={colors[row.confirm_state]}>{state_names[String(row.confirm_state)]}</Tag> },
})

/** 接送人: who may fetch children besides their guardians; who is not confirmed fetches nobody (chapter 35 R55). */
export function PersonList({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(pickupPersonApi.list, fields, { part: 'person' })
  const { open, close, dialog } = useDialog()
  const done = () => {
    list.select([])
    void list.refresh()
  }
  const frame = { onClose: close, onDone: done }
  const add = () => open(<AddDialog {...frame} />)
  const settle = (act: Act, ids: string[]) => open(<SettleDialog act={act} ids={ids} {...frame} />)
  return (
    <ListPage
      of={list}
      head={head}
      filters={<Filters of={list} show={['keyword', 'confirm_state']} />}
      batch={
        <Can code={pickupPersonApi.stop}>
          <Button onClick={() => settle('confirm', list.selected.map(String))}>登记书面确认</Button>{' '}
          <Button danger onClick={() => settle('stop', list.selected.map(String))}>
            停用
          </Button>
        </Can>
      }
      actions={
        <>
          <Can code={pickupPersonApi.add}>
            <Button type="primary" onClick={add}>
              新增接送人
            </Button>
          </Can>
          <ImportButton
            code={pickupPersonApi.add} template="access_pickup_person" title="接送人导入" label="导入" unit="人"
            onApplied={() => void list.refresh()}
          />
          <ListExport of={list} fact={pickupPersonList} call={pickupPersonApi.export} />
        </>
      }
    >
      <Table
        of={list}
        show={['student_name', 'student_no', 'dept_name', 'person_name', 'relation', 'mobile', 'valid_to', 'confirm_state']}
        more={['valid_from', 'has_account', 'confirmed_by_name']}
        row={acts(settle)}
        row_width={120}
        selectable
        empty="还没有接送人：监护人默认可以接送，其他人须登记并经监护人在手机上确认"
      />
      {dialog}
    </ListPage>
  )
}

function acts(settle: (act: Act, ids: string[]) => void): (row: PickupPersonRow) => ReactNode {
  return ({ pickup_id, person_name, confirm_state }) =>
    confirm_state !== ended && (
      <Can code={pickupPersonApi.stop}>
        {confirm_state === waits && (
          <Button type="link" size="small" aria-label={`确认 ${person_name}`} onClick={() => settle('confirm', [pickup_id])}>
            确认
          </Button>
        )}
        <Button type="link" size="small" danger aria-label={`停用 ${person_name}`} onClick={() => settle('stop', [pickup_id])}>
          停用
        </Button>
      </Can>
    )
}

const words = {
  confirm: {
    title: '登记书面确认',
    hint: '监护人通常在手机上确认；只有收到监护人签字的书面确认时才在此登记，操作会记入日志。',
    label: '依据',
    first: '监护人书面确认',
  },
  stop: { title: '停用接送人', hint: '停用后不能再接该学生，立即生效。', label: '原因', first: '不再接送' },
} as const

function Settle({ act, ids, onClose, onDone }: Frame & { act: Act; ids: string[] }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const { title, hint, label, first } = words[act]
  const save = async () => {
    const values = await validValues(form)
    if (
      !values ||
      !(await run(
        () => call(act === 'confirm' ? pickupPersonApi.confirm : pickupPersonApi.stop, { ids, ...values }, { quiet: true }),
        '操作成功',
      ))
    )
      return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={440}
      title={`${title}（${ids.length}人）`}
      okText="确定"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="access-hint">{hint}</p>
      <Form form={form} name="pickup-settle" layout="vertical" initialValues={{ reason: first }}>
        <Form.Item name="reason" label={label} rules={[{ required: true, whitespace: true, min: 2, message: '2到100个字' }]}>
          <Input maxLength={100} autoComplete="off" />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

type Values = { student: string[]; person_name: string; mobile: string; relation: string; valid_from: Dayjs; valid_to?: Dayjs | null }
const required = (message: string) => [{ required: true, message }]

function AddPerson({ onClose, onDone }: Frame): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'access.pickupTwice': 'mobile' })
  const relations = useDictionary('PICKUP_RELATION')
  const [photo_file_key, setPhoto] = useState<string | null>(null)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const {
      student: [student_id = ''],
      valid_from,
      valid_to,
      ...rest
    } = values
    const draft: PickupPersonDraft = {
      ...rest,
      student_id,
      photo_file_key,
      valid_from: valid_from.format('YYYY-MM-DD'),
      valid_to: valid_to?.format('YYYY-MM-DD') ?? null,
    }
    if (!(await run(() => call(pickupPersonApi.add, draft, { quiet: true }), '已登记，待监护人确认'))) return
    onDone()
    onClose()
  }
  const takePhoto = (file_key: string) => {
    setPhoto(file_key)
    return Promise.resolve()
  }
  return (
    <AppModal
      open
      width={520}
      title="新增接送人"
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="access-hint">登记后须由监护人在手机上确认，确认前不能接走学生。</p>
      <Form form={form} name="pickup-person" layout="vertical" initialValues={{ valid_from: dayjs() }}>
        <Form.Item name="student" label="学生" rules={required('请选择学生')}>
          <PeopleChoice scene={student_scene} most={1} />
        </Form.Item>
        <Form.Item name="person_name" label="接送人姓名" rules={required('请填写接送人姓名')}>
          <Input maxLength={50} autoComplete="off" />
        </Form.Item>
        <Form.Item name="mobile" label="手机号" rules={required('请填写手机号')}>
          <Input maxLength={20} autoComplete="off" inputMode="tel" />
        </Form.Item>
        <Form.Item name="relation" label="与学生关系" rules={required('请选择关系')}>
          <Select options={relations} />
        </Form.Item>
        <Form.Item name="valid_from" label="生效日期" rules={required('请选择生效日期')}>
          <DatePicker className="kit-fill" />
        </Form.Item>
        <Form.Item name="valid_to" label="失效日期" extra="不填为长期有效">
          <DatePicker className="kit-fill" />
        </Form.Item>
      </Form>
      <PictureField
        title="照片"
        rule={photo_rule}
        address={null}
        hint={photo_file_key === null ? '供门岗核对身份' : '照片已上传，保存后显示'}
        onChange={takePhoto}
      />
    </AppModal>
  )
}
