import { failures } from '@kit/contract'

/** User-facing failures of files and uploads. */
export const filesErrors = failures('files', {
  wrongStore: [409, '存储类型与学校配置不一致'],
  wrongType: [415, '文件格式不支持'],
  noPicture: [415, '图片上传失败，请检查图片是否正常'],
  ticketInvalid: [403, '上传凭证已失效，请重试'],
  nameTaken: [409, '已存在同名文件，请重试'],
  visitorsFull: [503, '上传的人较多，请稍后再试'],
  videoBroken: [415, '视频文件已损坏或不是MP4，请转换为H.264编码的MP4后上传'],
  videoCodec: [422, '视频编码不受班牌支持（{codec}），请转换为H.264后上传'],
  videoSlow: [422, '视频的索引在文件末尾，无法边下载边播放，请用“快速启动（faststart）”方式转换后上传'],
  missing: [404, '文件不存在或已被删除，请重新上传'],
})
