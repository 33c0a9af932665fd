import { resource_extensions } from '@campus/publishing/contract'

const dotted = (type: string): string[] => (resource_extensions[type] ?? []).map(ext => `.${ext}`)

/** The three libraries: one page of albums, one of what is in them. */
export const kinds = {
  picture: {
    type: 1,
    album: '相册',
    item: '图片',
    home: '/ResourcePic',
    detail: '/PicListDetail',
    extensions: dotted('1'),
    hint: '支持 jpg、png、gif、webp，单个不超过10MB',
  },
  video: {
    type: 2,
    album: '相册',
    item: '视频',
    home: '/ResourceVideo',
    detail: '/VideoListDetail',
    extensions: dotted('2'),
    hint: '支持H.264编码的mp4；索引在文件末尾的会自动调整，其他编码请先转换',
  },
  word: {
    type: 3,
    album: '文件夹',
    item: '文档',
    home: '/ResourceWord',
    detail: '/WordListDetail',
    extensions: dotted('3'),
    hint: '支持 doc、docx、xls、xlsx、ppt、pptx、pdf、txt',
  },
} as const
export type Kind = (typeof kinds)[keyof typeof kinds]
export const kindOf = (type: number): Kind => Object.values(kinds).find(kind => kind.type === type) ?? kinds.picture
