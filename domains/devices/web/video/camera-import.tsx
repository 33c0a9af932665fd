import { ImportButton } from '@kit/web'
import type { ReactNode } from 'react'
import { useCamerasChanged } from './use-cameras.ts'

/** 摄像机导入, for whoever may. */
export function CameraImport(): ReactNode {
  const changed = useCamerasChanged()
  return <ImportButton code="devices.camera.import" template="camera" title="摄像机导入" label="导入" unit="台" onApplied={() => void changed()} />
}
