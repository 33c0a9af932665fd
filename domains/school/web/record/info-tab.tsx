import { SchoolDraft, schoolInfoApi } from '@campus/school/contract'
import type { SchoolDetail } from '@campus/school/contract'
import { call, mayDiscard, ruleOf, useCan, useDictionary, useMay, useSaving } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { degreesOf, degreesRule, most_degrees } from './degrees.ts'
import { schoolPorts } from '../ports.ts'
import { PictureBox } from './picture-box.tsx'
import { useLoaded } from './use-loaded.tsx'

const MapPointField = lazy(() => import('./map-point.tsx').then(part => ({ default: part.MapPointField })))
const types = { 1: '学校', 2: '企业' } as const
const shape = SchoolDraft.shape

/** 基本信息: what is said of the school, its logo and its login picture. */
export function InfoTab(): ReactNode {
  const { data, instead, ready, refresh } = useLoaded(schoolInfoApi.detail, {})
  if (!data) return <div className="record-card" data-ready={ready}>{instead}</div>
  return (
    <div className="record-info" data-ready={ready}>
      <InfoForm key={data.row_version} school={data} refresh={refresh} />
      <div className="record-beside">
        <aside className="record-card record-pictures" aria-label="图片">
          <PictureBox kind="logo" title="校徽" hint="显示在登录页、侧边栏和打印的表格上；PNG、JPG或WEBP，不超过10MB" address={data.school_logo_url} onSaved={refresh} />
          <PictureBox kind="login_bg" title="登录页背景" hint="仅在本校登录页显示；建议宽1920像素以上" address={data.login_bg_url} onSaved={refresh} />
        </aside>
        <Cards school_type={data.school_type} />
      </div>
    </div>
  )
}

/** What other domains say of the school, each for whoever may see it. */
function Cards({ school_type }: { school_type: number }): ReactNode {
  const may = useMay()
  return schoolPorts().cards.filter(({ call: codes }) => may(codes)).map(({ key, title, Card }) => (
    <section key={key} className="record-card" aria-label={title}>
      <h3>{title}</h3>
      <Suspense><Card school_type={school_type} /></Suspense>
    </section>
  ))
}

function InfoForm({ school, refresh }: { school: SchoolDetail; refresh: () => Promise<unknown> }): ReactNode {
  const [form] = Form.useForm<SchoolDetail>()
  const client = useQueryClient()
  const [touched, setTouched] = useState(false)
  const { busy, refused, run } = useSaving(form)
  const may_edit = useCan(schoolInfoApi.update)
  const save = async () => {
    const values = SchoolDraft.parse(draftOf(await form.validateFields()))
    const saved = await run(() => call(schoolInfoApi.update, { ...values, row_version: school.row_version }, { quiet: true }), '修改成功')
    if (saved) await client.invalidateQueries({ queryKey: [schoolInfoApi.detail.call] })
  }
  const discard = async () => {
    if (await mayDiscard()) {
      form.resetFields()
      setTouched(false)
      await refresh()
    }
  }
  return (
    <Form form={form} name="school-info" className="record-card record-form" layout="vertical" initialValues={school} disabled={!may_edit} onValuesChange={() => setTouched(true)} onFinish={() => void save()} scrollToFirstError>
      {refused !== null && <Alert type="warning" showIcon title={refused} action={<Button size="small" onClick={() => void discard()}>重新读取</Button>} />}
      <Fields school={school} may_edit={may_edit} />
      {may_edit && (
        <footer>
          <Button type="primary" htmlType="submit" loading={busy}>保存</Button>
          {touched && <Button onClick={() => void discard()}>放弃修改</Button>}
        </footer>
      )}
    </Form>
  )
}

function Fields({ school, may_edit }: { school: SchoolDetail; may_edit: boolean }): ReactNode {
  const is_school = school.school_type === 1
  const word = types[is_school ? 1 : 2]
  return (
    <div className="record-grid">
      <Form.Item name="school_name" label={`${word}名称`} required rules={[ruleOf(shape.school_name)]}><Input maxLength={30} showCount /></Form.Item>
      <Form.Item label="编号" htmlFor="school-info_id"><Input id="school-info_id" value={school.school_id} disabled /></Form.Item>
      <Form.Item name="school_code" label={is_school ? '学校标识码' : '统一社会信用代码'} rules={[ruleOf(shape.school_code)]}><Input maxLength={20} /></Form.Item>
      <Form.Item name="division" label="行政区划代码" rules={[ruleOf(shape.division)]}><Input maxLength={6} placeholder="6位数字，如370200" /></Form.Item>
      {is_school && <Code name="bxlx" label="办学类型" type="SCHOOL_TYPE" />}
      {is_school && <Code name="school_run_by" label="举办者" type="SCHOOL_RUN_BY" />}
      {is_school && <Code name="urban_rural" label="城乡类型" type="URBAN_RURAL" />}
      <Form.Item name="principal_name" label={is_school ? '校长姓名' : '负责人'} rules={[ruleOf(shape.principal_name)]}><Input maxLength={50} /></Form.Item>
      <Form.Item name="tel" label="联系电话" rules={[ruleOf(shape.tel)]}><Input maxLength={20} /></Form.Item>
      <Form.Item name="icp_no" label="备案号" rules={[ruleOf(shape.icp_no)]}><Input maxLength={60} /></Form.Item>
      <Form.Item name="address" label="地址" className="record-wide" rules={[ruleOf(shape.address)]}><Input maxLength={200} /></Form.Item>
      <Form.Item name="home_lng" label="经度" rules={[degreesRule(most_degrees.home_lng)]}><Input inputMode="decimal" maxLength={20} /></Form.Item>
      <Form.Item name="home_lat" label="纬度" rules={[degreesRule(most_degrees.home_lat)]}><Input inputMode="decimal" maxLength={20} /></Form.Item>
      <Suspense><MapPointField school_name={school.school_name} disabled={!may_edit} /></Suspense>
    </div>
  )
}

function Code({ name, label, type }: { name: string; label: string; type: string }): ReactNode {
  const options = useDictionary(type)
  return <Form.Item name={name} label={label}><Select options={options} allowClear showSearch={{ optionFilterProp: 'label' }} placeholder="请选择" /></Form.Item>
}

/** Fields that are not on the form of an enterprise stay empty; a cleared choice is nothing; degrees are typed as text. */
function draftOf(values: Partial<SchoolDetail>): Record<string, unknown> {
  const all: Record<string, unknown> = values
  const place = { home_lng: degreesOf(all.home_lng, most_degrees.home_lng), home_lat: degreesOf(all.home_lat, most_degrees.home_lat) }
  const given: Record<string, unknown> = { ...all, ...place }
  return Object.fromEntries(Object.keys(shape).map(key => [key, given[key] ?? null]))
}
