import { Image } from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import { TextAlign } from '@tiptap/extension-text-align'
import { Color, TextStyle } from '@tiptap/extension-text-style'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import type { Editor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { AppModal, sentenceOf, toast } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { useUploader } from '@kit/web/upload'
import type { Uploader, UploadRule } from '@kit/web/upload'
import { Button, ColorPicker, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

type Props = { value?: string; onChange?: (html: string) => void }
const picture_rule: UploadRule = { purpose: 'notice', kind: '1', prepare: 'photo' }
const extensions = [
  StarterKit.configure({ heading: { levels: [2, 3] }, code: false, codeBlock: false, link: { openOnClick: false, protocols: ['http', 'https'] } }),
  Image.configure({ allowBase64: false }), TextAlign.configure({ types: ['heading', 'paragraph'] }), TextStyle, Color, TableKit,
]

/** The text of a post; pictures are sent as they are pasted, dropped or chosen, and stand in it by their file key. */
export function RichText({ value = '', onChange }: Props): ReactNode {
  const uploader = useUploader(picture_rule)
  const keys = useRef(new Map<string, string>())
  const [sending, setSending] = useState(0)
  const keyed = (html: string) => html.replaceAll(/src="(blob:[^"]+)"/g, (whole, address: string) => (keys.current.has(address) ? `src="/material/f/${keys.current.get(address)}"` : whole))
  const holder = useRef<Editor | null>(null)
  const insert = async (files: readonly File[]) => {
    setSending(count => count + files.length)
    for (const file of files) {
      const address = await keep(uploader, keys.current, file)
      if (address !== null) holder.current?.chain().focus().setImage({ src: address, alt: file.name }).run()
      setSending(count => count - 1)
    }
  }
  const take = (given: FileList | undefined) => {
    const files = [...(given ?? [])].filter(file => file.type.startsWith('image/'))
    if (files.length > 0) void insert(files)
    return files.length > 0
  }
  const editor = useEditor({
    extensions, content: value,
    onUpdate: ({ editor: now }) => onChange?.(now.isEmpty ? '' : keyed(now.getHTML())),
    editorProps: { attributes: { 'aria-label': '正文' }, handlePaste: (_view, event) => take(event.clipboardData?.files), handleDrop: (_view, event) => take(event.dataTransfer?.files) },
  })
  useEffect(() => {
    holder.current = editor
  }, [editor])
  return (
    <div className="pub-rich">
      <Toolbar editor={editor} onFiles={files => void insert(files)} />
      <div className="pub-rich-text"><EditorContent editor={editor} /></div>
      {sending > 0 && <p className="pub-hint" role="status">正在上传 {sending} 张图片…</p>}
    </div>
  )
}

async function keep(uploader: Uploader, keys: Map<string, string>, file: File): Promise<string | null> {
  try {
    const { file_key } = await uploader.send(file)
    const address = URL.createObjectURL(file)
    keys.set(address, file_key)
    return address
  } catch (cause) {
    toast.warning(sentenceOf(cause))
    return null
  }
}

function Toolbar({ editor, onFiles }: { editor: Editor; onFiles: (files: readonly File[]) => void }): ReactNode {
  const box = useRef<HTMLInputElement>(null)
  const on = useEditorState({ editor, selector: ({ editor: now }) => ({ bold: now.isActive('bold'), italic: now.isActive('italic'), underline: now.isActive('underline'), h2: now.isActive('heading', { level: 2 }), bullet: now.isActive('bulletList'), ordered: now.isActive('orderedList'), link: now.isActive('link') }) })
  const chain = () => editor.chain().focus()
  const { open, close, dialog } = useDialog()
  const link = () => {
    if (on.link) chain().unsetLink().run()
    else open(<LinkDialog onClose={close} onLink={href => chain().setLink({ href }).run()} />)
  }
  const acts: readonly (readonly [label: string, pressed: boolean, run: () => void])[] = [
    ['加粗', on.bold, () => chain().toggleBold().run()], ['斜体', on.italic, () => chain().toggleItalic().run()], ['下划线', on.underline, () => chain().toggleUnderline().run()],
    ['标题', on.h2, () => chain().toggleHeading({ level: 2 }).run()], ['列表', on.bullet, () => chain().toggleBulletList().run()], ['编号', on.ordered, () => chain().toggleOrderedList().run()],
    ['居中', false, () => chain().setTextAlign('center').run()], ['左对齐', false, () => chain().setTextAlign('left').run()], ['链接', on.link, link], ['表格', false, () => chain().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run()],
    ['撤销', false, () => chain().undo().run()],
  ]
  return (
    <div className="pub-rich-bar" role="toolbar" aria-label="正文格式">
      {acts.map(([label, pressed, run]) => <Button key={label} size="small" type={pressed ? 'primary' : 'text'} aria-pressed={pressed} onClick={run}>{label}</Button>)}
      <Button size="small" type="text" onClick={() => box.current?.click()}>图片</Button>
      <ColorPicker size="small" disabledAlpha defaultValue="#262626" onChangeComplete={color => chain().setColor(color.toHexString()).run()} />
      <input ref={box} type="file" accept="image/*" multiple hidden aria-label="选择图片" onChange={({ target }) => {
        onFiles([...(target.files ?? [])])
        target.value = ''
      }} />
      {dialog}
    </div>
  )
}

function LinkDialog({ onClose, onLink }: { onClose: () => void; onLink: (href: string) => void }): ReactNode {
  const [href, setHref] = useState('https://')
  const done = () => {
    onLink(href)
    onClose()
  }
  return <AppModal open width={420} title="添加链接" okText="添加" okButtonProps={{ disabled: !/^https?:\/\/[^/]/i.test(href) }} onOk={done} onCancel={onClose}><Input aria-label="链接地址" value={href} maxLength={500} onChange={event => setHref(event.target.value)} /></AppModal>
}
