import { folderApi, most_in_batch, most_labels, resourceApi } from '@campus/publishing/contract'
import { PageFrame, usePage } from '@kit/web'
import { useCall } from '@kit/web/part'
import { UploadField } from '@kit/web/upload'
import type { Uploaded } from '@kit/web/upload'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Form, Select } from 'antd'
import type { ReactNode } from 'react'
import { kinds } from './kinds.ts'
import { useBatch } from './use-batch.ts'
import '../publishing.css'
import './resource.css'

type Values = { files?: readonly Uploaded[]; folder_id?: string | null; label_ids?: string[] }
const { word } = kinds
const rule = { purpose: 'resource', kind: String(word.type), prepare: 'as_is' } as const

/** 上传文档: files, the folder they go into and their labels; a refused one can be sent again. */
export default function UploadWord(): ReactNode {
  const { search } = usePage()
  const navigate = useNavigate()
  const [form] = Form.useForm<Values>()
  const folders = useCall(folderApi.list, { resource_type: word.type })
  const labels = useCall(resourceApi.labels, {})
  const batch = useBatch()
  const files = Form.useWatch('files', form) ?? []
  const folder_id = Form.useWatch('folder_id', form)
  const back = () => void navigate({ to: word.detail, search: folder_id ? { folder_id } : {} })
  const save = async () => {
    const is_whole = await batch.add({
      resource_type: word.type,
      folder_id: folder_id ?? null,
      label_ids: form.getFieldValue('label_ids') ?? [],
      files,
    })
    form.setFieldValue('files', [])
    if (is_whole) back()
  }
  return (
    <PageFrame
      ready="page"
      footer={
        <>
          <Button onClick={back}>返回</Button>
          <Button type="primary" disabled={files.length === 0} loading={batch.busy} onClick={() => void save()}>
            保存{files.length > 0 && ` ${files.length} 个`}
          </Button>
        </>
      }
    >
      {batch.failure !== null && <Alert type="warning" showIcon title={batch.failure} />}
      <Form
        form={form}
        name="upload-word"
        layout="vertical"
        className="pub-page"
        initialValues={{ folder_id: search.folder_id ?? null, files: [] }}
      >
        <Form.Item name="folder_id" label="文件夹">
          <Select
            allowClear
            placeholder="不归入文件夹"
            loading={folders.isFetching}
            options={(folders.data?.list ?? []).map(folder => ({ value: folder.id, label: folder.name }))}
          />
        </Form.Item>
        <Form.Item name="label_ids" label="标签">
          <Select
            mode="multiple"
            maxCount={most_labels}
            placeholder="可不选"
            options={(labels.data?.list ?? []).map(label => ({ value: label.id, label: label.name }))}
          />
        </Form.Item>
        <Form.Item name="files" label="文件" className="pub-wide">
          <UploadField
            rule={rule}
            extensions={word.extensions}
            most={most_in_batch}
            hint={`${word.hint}；一次最多选择${most_in_batch}个文件，可拖入`}
          />
        </Form.Item>
        {batch.notes.length > 0 && (
          <ul className="res-failures pub-wide">
            {batch.notes.map(note => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </Form>
    </PageFrame>
  )
}
