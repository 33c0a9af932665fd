import { describe, expect, test } from 'vitest'
import { ossAuthorization, qiniuManageToken, qiniuUploadToken, signOssPolicy, signS3Policy } from './signing.ts'

// The example values that the makers of the stores publish with their descriptions.
const qiniu = { access_key_id: 'MY_ACCESS_KEY', access_key_secret: 'MY_SECRET_KEY' }
const oss = { access_key_id: '44CF9590006BF252F707', access_key_secret: 'OtxrzxIsfpFjA7SwPzILwy8Bw21TLhquhboDYROV' }
const aws_secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const aws_policy = [
  '{ "expiration": "2015-12-30T12:00:00.000Z",',
  '  "conditions": [',
  '    {"bucket": "sigv4examplebucket"},',
  '    ["starts-with", "$key", "user/user1/"],',
  '    {"acl": "public-read"},',
  '    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},',
  '    ["starts-with", "$Content-Type", "image/"],',
  '    {"x-amz-meta-uuid": "14365123651274"},',
  '    {"x-amz-server-side-encryption": "AES256"},',
  '    ["starts-with", "$x-amz-meta-tag", ""],',
  '',
  '    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},',
  '    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},',
  '    {"x-amz-date": "20151229T000000Z" }',
  '  ]',
  '}',
].join('\r\n')
const put_policy = String.raw`{"scope":"my-bucket:sunflower.jpg","deadline":1451491200,"returnBody":"{\"name\":$(fname),\"size\":$(fsize),\"w\":$(imageInfo.width),\"h\":$(imageInfo.height),\"hash\":$(etag)}"}`

describe('published examples', () => {
  test('S3: a browser form, Signature Version 4', () => {
    const policy = Buffer.from(aws_policy).toString('base64')
    expect(signS3Policy(aws_secret, { date: '20151229', region: 'us-east-1' }, policy)).toBe('8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e')
  })

  test('Qiniu: an upload token', () => {
    const [id, signature, policy = ''] = qiniuUploadToken(qiniu, put_policy).split(':')
    expect([id, signature]).toEqual(['MY_ACCESS_KEY', 'wQ4ofysef1R7IKnrziqtomqyDvI='])
    expect(Buffer.from(policy, 'base64url').toString()).toBe(put_policy)
  })

  test('Qiniu: a management token', () => {
    expect(qiniuManageToken(qiniu, '/move/bmV3ZG9jczpmaW5kX21hbi50eHQ=/bmV3ZG9jczpmaW5kLm1hbi50eHQ=')).toBe('MY_ACCESS_KEY:FXsYh0wKHYPEsIAgdPD9OfjkeEM=')
  })

  test('Aliyun OSS: a signed request', () => {
    const headers = { 'x-oss-meta-author': 'foo@bar.com', 'x-oss-magic': 'abracadabra' }
    const request = { method: 'PUT', md5: 'ODBGOERFMDMzQTczRUY3NUE3NzA5QzdFNUYzMDQxNEM=', type: 'text/html', date: 'Thu, 17 Nov 2005 18:49:58 GMT', headers, resource: '/oss-example/nelson' }
    expect(ossAuthorization(oss, request)).toBe('OSS 44CF9590006BF252F707:26NBxoKdsyly4EDv6inkoDft/yA=')
  })
})

test.each([
  // RFC 2202, test cases 1 and 2 of HMAC-SHA1: the whole of what an OSS form signs with.
  ['Jefe', 'what do ya want for nothing?', '7/zfauXrL6LSdBbV8YTfnCWafHk='],
  ['\u000b'.repeat(20), 'Hi There', 'thcxhlUFcmTii8C2+zeMjvFGvgA='],
])('an OSS form is signed with HMAC-SHA1 over its policy', (secret, policy, signature) => {
  expect(signOssPolicy(secret, policy)).toBe(signature)
})
