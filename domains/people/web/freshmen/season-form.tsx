import { freshmenSeasonApi } from '@campus/people/contract'
import type { FreshmenSeason } from '@campus/people/contract'
import { call, leaving, useDictionary, useSaving, useSettled } from '@kit/web'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Button, DatePicker, Form, Input, InputNumber, Radio, Select } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useUnsaved } from '../use-unsaved.ts'
import { ClassesSelect } from './classes-select.tsx'
import { FieldPicker } from './field-picker.tsx'
import { MaterialsField } from './materials-field.tsx'
import { draftOf, fieldsOf, valuesOf } from './season-values.ts'
import type { SeasonValues } from './season-values.ts'
import { useFreshmenChanged } from './use-seasons.ts'

type Props = { season: FreshmenSeason | null; onSaved: (id: string) => void; onLeave: (() => void) | null }

const homes = { 'people.seasonTaken': 'school_year' }
/** A moment to the minute; leaving the field takes what was typed. */
const minute = { showTime: { format: 'HH:mm' }, format: 'YYYY-MM-DD HH:mm', needConfirm: false, allowClear: false, suffixIcon: null }
const whole = { precision: 0, parser: readNumber }
const needed = (message: string) => [{ required: true, message }]

/** What a season asks, takes and goes by; numbers and samples, fields and a look at them on a phone. */
export function SeasonForm({ season, onSaved, onLeave }: Props): ReactNode {
  const [form] = Form.useForm<SeasonValues>()
  const [fields, setFields] = useState(() => fieldsOf(season))
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useFreshmenChanged()
  const stages = useDictionary('STAGE')
  const materials = Form.useWatch('materials', form)
  const is_saved = useRef(false)
  useUnsaved(() => !is_saved.current && form.isFieldsTouched())
  const is_over = season?.state === 'finished'
  const save = async (values: SeasonValues) => {
    let id = ''
    const send = async () => {
      id = (await call(freshmenSeasonApi.save, draftOf(values, fields, season), { quiet: true })).id
    }
    if (!(await run(send, '设置成功'))) return
    is_saved.current = true
    await changed()
    onSaved(id)
  }
  return (
    <Form form={form} name="season" layout="vertical" className="fresh-form" disabled={is_over} initialValues={valuesOf(season)} onFinish={values => void save(values)}>
      <section className="fresh-card" aria-label="报名设置">
        {refused !== null && <Alert type="warning" showIcon title={refused} />}
        <div className="fresh-grid">
          <Form.Item name="school_year" label="学年" rules={[...needed('请填写学年'), { pattern: /^\d{4}-\d{4}$/, message: '学年格式为2026-2027' }]}><Input maxLength={9} placeholder="2026-2027" /></Form.Item>
          <Form.Item name="stage" label="学段" rules={needed('请选择学段')}><Select options={stages} /></Form.Item>
          <Form.Item name="open_at" label="开始时间" rules={needed('请选择开始时间')} extra="以服务器时间为准"><DatePicker className="kit-fill" {...minute} /></Form.Item>
          <Form.Item name="close_at" label="截止时间" rules={needed('请选择截止时间')}><DatePicker className="kit-fill" {...minute} /></Form.Item>
          <Form.Item name="quota" label="招生名额" rules={[...needed('请填写名额'), wholeRule(1, 10_000)]}><InputNumber className="kit-fill" {...whole} /></Form.Item>
          <Form.Item name="review_levels" label="审核"><Radio.Group options={[{ value: 1, label: '一级' }, { value: 2, label: '两级' }]} /></Form.Item>
          <Form.Item name="dup_policy" label="本校已有档案的" className="fresh-wide"><Radio.Group options={[{ value: 'warn', label: '审核时提示' }, { value: 'block', label: '不能通过' }]} /></Form.Item>
          <Form.Item name="import_passed" label="导入的报名" className="fresh-wide" extra="两级审核时须为待审核"><Radio.Group options={[{ value: false, label: '待审核' }, { value: true, label: '直接通过' }]} /></Form.Item>
          <Form.Item name="min_birthday" label="最早出生日期"><DatePicker className="kit-fill" /></Form.Item>
          <Form.Item name="max_birthday" label="最晚出生日期"><DatePicker className="kit-fill" /></Form.Item>
          <Form.Item name="dept_ids" label="分班的班级" className="fresh-wide"><ClassesSelect /></Form.Item>
          <NumberItems />
          <Form.Item name="materials" label="须核验的材料" className="fresh-all" extra="家长报名时可以看到；上传的为图片或 PDF，只有审核人员能看"><MaterialsField disabled={is_over} /></Form.Item>
        </div>
        <div className="register-save">
          <Button type="primary" htmlType="submit" loading={busy}>保存设置</Button>
          {onLeave && <Button disabled={busy} onClick={leaving(form, onLeave)}>取消</Button>}
        </div>
      </section>
      <FieldPicker fields={fields} materials={materials ?? []} change={setFields} is_over={is_over} />
    </Form>
  )
}

/** How student numbers are made, with the first ones that nobody has. */
function NumberItems(): ReactNode {
  const samples = useSamples(Form.useWatch('number_rule', Form.useFormInstance<SeasonValues>()))
  return (
    <>
      <Form.Item name={['number_rule', 'prefix']} label="学号前缀"><Input maxLength={20} /></Form.Item>
      <Form.Item name={['number_rule', 'digits']} label="顺序号位数" rules={[...needed('请填写位数'), wholeRule(2, 8)]}><InputNumber className="kit-fill" {...whole} /></Form.Item>
      <Form.Item name={['number_rule', 'start']} label="起始号" rules={[...needed('请填写起始号'), wholeRule(1, 99_999_999)]}><InputNumber className="kit-fill" {...whole} /></Form.Item>
      <p className="fresh-sample">学号样例：{samples.join('、')}</p>
    </>
  )
}

/** The first numbers of a rule that nobody has. */
function useSamples(rule: FreshmenSeason['number_rule'] | undefined): readonly string[] {
  const settled = useSettled(rule ? `${rule.digits} ${rule.start} ${rule.prefix}` : '')
  const [digits, start, prefix = ''] = settled.split(' ')
  const { data } = useQuery({ queryKey: [freshmenSeasonApi.numbers.call, settled], queryFn: ({ signal }) => call(freshmenSeasonApi.numbers, { digits: digits ?? '', start: start ?? '', prefix }, { signal, quiet: true }), enabled: Boolean(Number(digits) && Number(start)) })
  return data?.list ?? []
}
