import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificateFiles } from './certificates.ts';
import type { Host } from './hosts.ts';

/** nginx before the service, as an operator with other sites on the machine would have it. */
export function startFrontingProxy(
  front: Host,
  options: {
    readonly folder: string;
    readonly hostname: string;
    readonly certificate: CertificateFiles;
    readonly authorityFile: string;
    readonly upstream: string;
  },
): void {
  const folder = join(options.folder, 'nginx');
  mkdirSync(folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${folder}/${kind};`)
    .join('\n');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `worker_processes 1;
user root;
pid ${folder}/pid;
error_log stderr;
events { worker_connections 64; }
http {
  access_log off;
${temporary}
  server {
    listen 443 ssl;
    listen [::]:443 ssl;
    server_name ${options.hostname};
    ssl_certificate ${options.certificate.certificateFile};
    ssl_certificate_key ${options.certificate.keyFile};
    location / {
      proxy_pass https://${options.upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_ssl_verify on;
      proxy_ssl_name ${options.hostname};
      proxy_ssl_server_name on;
      proxy_ssl_trusted_certificate ${options.authorityFile};
      proxy_read_timeout 300s;
    }
  }
}
`,
  );
  front.start('nginx', '-g', 'daemon off;', '-e', 'stderr', '-c', join(folder, 'nginx.conf'));
}
