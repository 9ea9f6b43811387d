/** What stands in a heap knows its place there; -1 when it stands in none. */
export interface HeapNode {
  place: number;
}

/** The smallest on top. A node whose rank has changed is moved in logarithmic time. */
export class IndexedHeap<Node extends HeapNode> {
  readonly #nodes: Node[] = [];
  readonly #isBefore: (a: Node, b: Node) => boolean;

  constructor(isBefore: (a: Node, b: Node) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#nodes.length;
  }

  get top(): Node | undefined {
    return this.#nodes[0];
  }

  /** The top and some of those that come soon after it, in no order. */
  near(count: number): readonly Node[] {
    return this.#nodes.slice(0, count);
  }

  add(node: Node): void {
    if (node.place >= 0) return;
    node.place = this.#nodes.length;
    this.#nodes.push(node);
    this.#rise(node);
  }

  remove(node: Node): void {
    const { place } = node;
    if (place < 0) return;
    const last = this.#nodes.pop();
    node.place = -1;
    if (last === undefined || last === node) return;
    this.#put(last, place);
    this.moved(last);
  }

  /** To be called after a node's rank has changed. */
  moved(node: Node): void {
    if (node.place < 0) return;
    this.#rise(node);
    this.#sink(node);
  }

  #rise(node: Node): void {
    while (node.place > 0) {
      const parentPlace = (node.place - 1) >> 1;
      const parent = this.#nodes[parentPlace];
      if (parent === undefined || !this.#isBefore(node, parent)) return;
      this.#put(parent, node.place);
      this.#put(node, parentPlace);
    }
  }

  #sink(node: Node): void {
    for (;;) {
      const left = this.#nodes[2 * node.place + 1];
      const right = this.#nodes[2 * node.place + 2];
      if (left === undefined) return;
      const child = right !== undefined && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, node)) return;
      const childPlace = child.place;
      this.#put(child, node.place);
      this.#put(node, childPlace);
    }
  }

  #put(node: Node, place: number): void {
    this.#nodes[place] = node;
    node.place = place;
  }
}
