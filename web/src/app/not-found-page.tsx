import { Link } from 'wouter';
import { buttonClasses } from '../design/button.tsx';
import { useWords } from '../language/language.tsx';
import { PageFrame } from './page-frame.tsx';

export function NotFoundPage() {
  const words = useWords();
  return (
    <PageFrame title={words.notFound.title} lead={words.notFound.explained}>
      <Link href="/" className={buttonClasses('plain')}>
        {words.notFound.home}
      </Link>
    </PageFrame>
  );
}
