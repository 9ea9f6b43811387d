/** The logo of whoever runs the service as a picture that systems can show: square, and no SVG. */
export async function iconOf(logoUrl: string | null): Promise<string> {
  if (logoUrl === null) return arch;
  try {
    const logo = new Image();
    logo.src = logoUrl;
    await logo.decode();
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = side;
    const scale = side / Math.max(logo.width, logo.height);
    const [width, height] = [logo.width * scale, logo.height * scale];
    canvas.getContext('2d')?.drawImage(logo, (side - width) / 2, (side - height) / 2, width, height);
    return canvas.toDataURL();
  } catch {
    return arch;
  }
}

const side = 192;
const arch = '/assets/icons/arch-192.png';
