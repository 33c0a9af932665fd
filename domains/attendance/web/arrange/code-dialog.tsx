import { attendSignApi } from '@campus/attendance/contract'
import { AppModal } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { QRCode } from 'antd'
import { useEffect } from 'react'
import type { ReactNode } from 'react'

/** 打卡码 of a place, for a screen that stands there: another one every twenty seconds. */
export function CodeDialog({ place_id, onClose }: { place_id: string; onClose: () => void }): ReactNode {
  const query = useCall(attendSignApi.code, { place_id }, { keep: true })
  const { data, refetch } = query
  useEffect(() => {
    if (!data) return
    const timer = window.setTimeout(() => void refetch(), data.left_s * 1000)
    return () => window.clearTimeout(timer)
  }, [data, refetch])
  return (
    <AppModal open width={480} title="打卡码" footer={null} onCancel={onClose}>
      <Loaded query={query} rows={6}>
        {({ place_name, code }) => (
          <div className="attend-code">
            <span>{place_name}：在“教职工考勤”或“学生考勤”的“今天”中输入打卡码</span>
            <QRCode value={code} size={240} aria-label={`打卡码 ${code}`} />
            <strong role="status">{code}</strong>
            <span>每20秒更换一次，只在本场所有效</span>
          </div>
        )}
      </Loaded>
    </AppModal>
  )
}
