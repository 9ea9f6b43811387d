/** The worker of pdf.js, built into a file of our own so that it comes from here and nowhere else. */
import 'pdfjs-dist/build/pdf.worker.min.mjs';
