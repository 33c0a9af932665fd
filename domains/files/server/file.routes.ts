import { fileApi, uploadApi } from '@campus/files/contract'
import { implement } from './db.ts'
import { readFile, viewFile } from './read.service.ts'
import { admitUpload, takeUpload } from './upload.service.ts'

export const fileRoutes = [
  ...implement(fileApi, { read: { outside: readFile }, view: { outside: viewFile } }),
  ...implement(uploadApi, { save: { outside: takeUpload, admit: admitUpload } }),
]
