import { dishApi, most_dish_pictures } from '@campus/canteen/contract'
import { AppModal, call, mayDiscard } from '@kit/web'
import { useAct } from '@kit/web/act'
import { UploadField } from '@kit/web/upload'
import type { Uploaded } from '@kit/web/upload'
import { useState } from 'react'
import type { ReactNode } from 'react'

const rule = { purpose: 'resource', kind: '1', prepare: 'photo' } as const
const extensions = ['.jpg', '.jpeg', '.png']

/** Pictures of dishes before a sheet is brought in, which names them by their file names (chapter 60 §6). */
export function PictureDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [files, setFiles] = useState<readonly Uploaded[]>([])
  const { act, busy } = useAct([], onClose)
  const save = () => {
    const asked = files.map(({ file_key, file_name }) => ({ file_key, name: file_name }))
    return act(() => call(dishApi.addPictures, { files: asked }, { quiet: true }), { done: `已保存 ${files.length} 张` })
  }
  const close = async () => {
    if (files.length === 0 || (await mayDiscard())) onClose()
  }
  return (
    <AppModal
      open
      width={560}
      title="上传菜品图片"
      okText={`保存 ${files.length} 张`}
      okButtonProps={{ disabled: files.length === 0 }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={() => void close()}
    >
      <p>上传后，在食谱导入表的“图片文件名”一列填写文件名（如红烧肉.jpg），导入时图片会成为该菜品的照片。同名图片以最后上传的为准。</p>
      <UploadField
        value={files}
        onChange={setFiles}
        rule={rule}
        extensions={extensions}
        most={most_dish_pictures}
        hint={`支持 jpg、png，一次最多${most_dish_pictures}张，可拖入`}
      />
    </AppModal>
  )
}
