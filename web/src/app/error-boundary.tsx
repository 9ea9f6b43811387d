import { Component, type ReactNode } from 'react';
import { Failure } from '../design/failure.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/** A bug in one page, or a page chunk that an upgrade has replaced, leaves the rest of the app standing. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failure: unknown }> {
  override state: { readonly failure: unknown } = { failure: undefined };

  static getDerivedStateFromError(failure: unknown) {
    return { failure };
  }

  override render() {
    if (this.state.failure === undefined) return this.props.children;
    return (
      <main className="flex h-full">
        <Failure failure={this.state.failure} retry={() => location.reload()} />
      </main>
    );
  }
}
