import { DocumentProblem } from '../document-problem.ts';

/** What models look at: more is scaled down by them anyway. */
const longestEdge = 1568;
const quality = 0.85;

export interface PreparedPicture {
  readonly file: File;
  readonly width: number;
  readonly height: number;
}

/** A picture as it is sent: small enough, and without what cameras write into it. The browser decodes it off the page. */
export async function preparePicture(file: File): Promise<PreparedPicture> {
  const size = await sizeOf(file);
  const scale = Math.min(1, longestEdge / Math.max(size.width, size.height));
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  try {
    const bitmap = await createImageBitmap(file, {
      resizeWidth: width,
      resizeHeight: height,
      resizeQuality: 'medium',
    });
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    // Drawings stay sharp as PNG, photographs small as JPEG.
    const type = file.type === 'image/png' && width * height < 1_000_000 ? 'image/png' : 'image/jpeg';
    const blob = await canvas.convertToBlob({ type, quality });
    return { file: new File([blob], file.name, { type }), width, height };
  } catch (cause) {
    throw new DocumentProblem('unreadable', cause);
  }
}

/** The browser reads the head of the file for this; nothing is decoded yet. */
async function sizeOf(file: File): Promise<{ readonly width: number; readonly height: number }> {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.addEventListener('load', resolve);
      image.addEventListener('error', reject);
      image.src = address;
    });
    if (image.naturalWidth === 0) throw new DocumentProblem('unreadable');
    return { width: image.naturalWidth, height: image.naturalHeight };
  } catch (cause) {
    throw new DocumentProblem('unreadable', cause);
  } finally {
    URL.revokeObjectURL(address);
  }
}
