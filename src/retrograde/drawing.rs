//! Drawings of graphs: DOT for Graphviz and similar tools, and SVG without them.
//!
//! The SVG is a layered drawing (Sugiyama): edges that would close a cycle are reversed for the layout, every node gets
//! the layer of the longest path to it, and edges across several layers get a bend in each. The crate `rust-sugiyama`
//! orders the layers so that few edges cross and finds coordinates. Nodes become boxes with text, edges curves through
//! their bends.

use std::fmt::Write;

use petgraph::dot::{Config, Dot};
use petgraph::graph::DiGraph;
use rust_sugiyama::configure::{Config as Layout, RankingType};

/// A graph to draw.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The title, one line at the top.
    pub title: String,
    /// The legend, in lines below the title.
    pub legend: Vec<String>,
    /// The nodes; the first is drawn at the top.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
}

/// A node.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The lines of its text.
    pub lines: Vec<String>,
    /// A line in small type below the text.
    pub note: String,
    /// The fill colour, as `#rrggbb`; it must be light, as the text is dark.
    pub fill: Option<&'static str>,
    /// Whether the corners are round.
    pub is_round: bool,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The index of the node it leaves.
    pub from: usize,
    /// The index of the node it enters.
    pub to: usize,
    /// Whether it is drawn strong.
    pub is_strong: bool,
}

/// Width of a node.
const WIDTH: f64 = 74.0;
/// Height of a line of text in a node.
const LINE: f64 = 17.0;
/// Height of a node's note.
const NOTE: f64 = 13.0;
/// The gap between two nodes of a layer.
const GAP: f64 = 14.0;
/// The gap between two layers.
const LAYER_GAP: f64 = 54.0;
/// The margin around the drawing.
const MARGIN: f64 = 18.0;
/// The height of a line of the title and the legend, and roughly the width of one of its letters.
const HEAD: f64 = 20.0;
const LETTER: f64 = 7.3;

impl Drawing {
    /// The graph in the DOT language of Graphviz.
    pub fn dot(&self) -> String {
        let mut graph = DiGraph::new();
        let nodes: Vec<_> = self.nodes.iter().map(|node| graph.add_node(node)).collect();
        for edge in &self.edges {
            graph.add_edge(nodes[edge.from], nodes[edge.to], edge);
        }
        let of_edge = |_, edge: petgraph::graph::EdgeReference<&Edge>| {
            if edge.weight().is_strong { "penwidth = 2".to_owned() } else { String::new() }
        };
        let of_node = |_, (_, node): (_, &&Node)| {
            let notes = (!node.note.is_empty()).then_some(node.note.as_str());
            let lines: Vec<String> = node.lines.iter().map(String::as_str).chain(notes).map(escaped_dot).collect();
            let mut attributes = format!("label = \"{}\"", lines.join("\\n"));
            let style = [("rounded", node.is_round), ("filled", node.fill.is_some())];
            let styles: Vec<&str> = style.into_iter().filter(|(_, has)| *has).map(|(style, _)| style).collect();
            let _ = write!(attributes, ", shape = box, style = \"{}\"", styles.join(","));
            if let Some(fill) = node.fill {
                let _ = write!(attributes, ", fillcolor = \"{fill}\"");
            }
            attributes
        };
        let config = [Config::NodeNoLabel, Config::EdgeNoLabel];
        format!("{:?}", Dot::with_attr_getters(&graph, &config, &of_edge, &of_node))
    }

    /// The graph as an SVG document.
    pub fn svg(&self) -> String {
        let placed = Placed::of(self);
        let head = (1 + self.legend.len()) as f64 * HEAD;
        let line_width = |line: &String| line.chars().count() as f64 * LETTER;
        let text = self.legend.iter().chain([&self.title]).map(line_width).fold(0.0, f64::max);
        let inner = placed.width.max(text);
        let (width, height) = (inner + 2.0 * MARGIN, head + MARGIN + placed.height + 2.0 * MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n{STYLE}<rect class=\"paper\" width=\"{width:.0}\" \
             height=\"{height:.0}\"/>\n",
            escaped(&self.title)
        );
        for (index, line) in std::iter::once(&self.title).chain(&self.legend).enumerate() {
            let class = if index == 0 { "title" } else { "legend" };
            let y = MARGIN + (index as f64 + 0.7) * HEAD;
            let _ = writeln!(svg, "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{y:.0}\">{}</text>", escaped(line));
        }
        let left = MARGIN + (inner - placed.width) / 2.0;
        let _ = writeln!(svg, "<g transform=\"translate({left:.1} {:.1})\">", head + 2.0 * MARGIN);
        // Strong edges come last, so that weak ones do not hide them.
        for is_strong in [false, true] {
            for (edge, path) in self.edges.iter().zip(&placed.paths).filter(|(edge, _)| edge.is_strong == is_strong) {
                let class = if edge.is_strong { "edge strong" } else { "edge" };
                let _ = writeln!(svg, "<path class=\"{class}\" d=\"{}\"/>", curve(path));
                svg += &head_of(path, edge.is_strong);
            }
        }
        for (node, &(x, y)) in self.nodes.iter().zip(&placed.nodes) {
            svg += &boxed(node, x, y);
        }
        svg + "</g>\n</svg>\n"
    }
}

/// The layout: nodes by their centre, edges by the points they pass, from one box to another.
struct Placed {
    nodes: Vec<(f64, f64)>,
    paths: Vec<Vec<(f64, f64)>>,
    width: f64,
    height: f64,
}

impl Placed {
    fn of(drawing: &Drawing) -> Placed {
        let count = drawing.nodes.len();
        let downward = without_circles(count, &drawing.edges);
        let layers = layers(count, &downward);
        // Bends are nodes of their own in the layout.
        let mut layer_of: Vec<usize> = layers;
        let mut chains: Vec<Vec<usize>> = Vec::new();
        for &(from, to) in &downward {
            let mut chain = vec![from];
            // An edge from a node to itself is drawn beside it.
            if from != to {
                for layer in layer_of[from] + 1..layer_of[to] {
                    chain.push(layer_of.len());
                    layer_of.push(layer);
                }
            }
            chain.push(to);
            chains.push(chain);
        }
        let size = |node: usize| if node < count { (WIDTH, 1.0) } else { (GAP, 1.0) };
        let vertices: Vec<(u32, (f64, f64))> = (0..layer_of.len()).map(|node| (node as u32, size(node))).collect();
        let mut steps: Vec<(u32, u32)> = chains
            .iter()
            .flat_map(|chain| chain.windows(2).map(|pair| (pair[0] as u32, pair[1] as u32)))
            .filter(|(from, to)| from != to)
            .collect();
        steps.sort_unstable();
        steps.dedup();
        let layout = Layout {
            vertex_spacing: GAP,
            ranking_type: RankingType::Up,
            dummy_vertices: false,
            // Trying to swap neighbours takes too long in large graphs.
            transpose: layer_of.len() < 600,
            ..Layout::default()
        };
        let mut across = vec![0.0; layer_of.len()];
        let mut start = 0.0;
        for (nodes, _, _) in rust_sugiyama::from_vertices_and_edges(&vertices, &steps, &layout) {
            let least = nodes.iter().map(|&(node, (x, _))| x - size(node).0 / 2.0).fold(f64::INFINITY, f64::min);
            let greatest = nodes.iter().map(|&(node, (x, _))| x + size(node).0 / 2.0).fold(0.0, f64::max);
            for (node, (x, _)) in nodes {
                across[node] = x - least + start;
            }
            start += greatest - least + GAP;
        }
        let tallest = drawing.nodes.iter().map(height).fold(0.0, f64::max);
        let down = |node: usize| layer_of[node] as f64 * (tallest + LAYER_GAP) + tallest / 2.0;
        let at = |node: usize| (across[node], down(node));
        let path = |(edge, chain): (&Edge, &Vec<usize>)| {
            if edge.from == edge.to {
                let (x, y) = at(edge.from);
                let x = x + WIDTH / 2.0;
                return vec![(x, y - 8.0), (x + GAP, y), (x, y + 8.0)];
            }
            let last = chain.len() - 1;
            let mut path: Vec<(f64, f64)> = Vec::new();
            for (place, &node) in chain.iter().enumerate() {
                let (x, y) = at(node);
                match place {
                    0 => path.push((x, y + height(&drawing.nodes[node]) / 2.0)),
                    _ if place == last => path.push((x, y - height(&drawing.nodes[node]) / 2.0)),
                    // Straight past the boxes of the layer.
                    _ => path.extend([(x, y - tallest / 2.0), (x, y + tallest / 2.0)]),
                }
            }
            if chain[0] != edge.from {
                path.reverse();
            }
            path
        };
        let paths = drawing.edges.iter().zip(&chains).map(path).collect();
        let height = layer_of.iter().max().map_or(0.0, |&last| last as f64 * (tallest + LAYER_GAP) + tallest);
        Placed { nodes: (0..count).map(at).collect(), paths, width: (start - GAP).max(0.0), height }
    }
}

/// The edges, reversed where a depth-first search from the first node finds that they close a cycle.
fn without_circles(nodes: usize, edges: &[Edge]) -> Vec<(usize, usize)> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (index, edge) in edges.iter().enumerate() {
        out[edge.from].push(index);
    }
    let mut turned = vec![false; edges.len()];
    let (mut is_above, mut is_seen) = (vec![false; nodes], vec![false; nodes]);
    for start in 0..nodes {
        let mut way = Vec::new();
        if !is_seen[start] {
            (is_seen[start], is_above[start]) = (true, true);
            way.push((start, 0));
        }
        while let Some((node, next)) = way.last_mut() {
            match out[*node].get(*next) {
                None => {
                    is_above[*node] = false;
                    way.pop();
                }
                Some(&edge) => {
                    *next += 1;
                    let to = edges[edge].to;
                    turned[edge] = is_above[to];
                    if !is_seen[to] {
                        (is_seen[to], is_above[to]) = (true, true);
                        way.push((to, 0));
                    }
                }
            }
        }
    }
    edges
        .iter()
        .zip(turned)
        .map(|(edge, turned)| if turned { (edge.to, edge.from) } else { (edge.from, edge.to) })
        .collect()
}

/// The length of the longest path to each node along edges without a cycle.
fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut layers = vec![0; nodes];
    loop {
        let mut is_settled = true;
        for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
            if layers[to] <= layers[from] {
                layers[to] = layers[from] + 1;
                is_settled = false;
            }
        }
        if is_settled {
            return layers;
        }
    }
}

fn height(node: &Node) -> f64 {
    10.0 + node.lines.len() as f64 * LINE + if node.note.is_empty() { 0.0 } else { NOTE }
}

/// A curve that leaves and arrives vertically, so that bends are smooth.
fn curve(path: &[(f64, f64)]) -> String {
    let mut curve = String::new();
    for (index, &(x, y)) in path.iter().enumerate() {
        let _ = match index {
            0 => write!(curve, "M{x:.1} {y:.1}"),
            _ => {
                let (x0, y0) = path[index - 1];
                let middle = (y0 + y) / 2.0;
                write!(curve, "C{x0:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}")
            }
        };
    }
    curve
}

/// The arrow head at the end of a path, which arrives from above or, if its edge was reversed, from below.
fn head_of(path: &[(f64, f64)], is_strong: bool) -> String {
    let [.., (_, before), (x, y)] = path else {
        return String::new();
    };
    let (back, side) = if is_strong { (9.0, 4.5) } else { (7.0, 3.2) };
    let back = if before < y { -back } else { back };
    let class = if is_strong { "head strong" } else { "head" };
    format!("<path class=\"{class}\" d=\"M{x:.1} {y:.1}l{:.1} {back}h{:.1}z\"/>\n", -side, 2.0 * side)
}

fn boxed(node: &Node, x: f64, y: f64) -> String {
    let height = height(node);
    let (left, top) = (x - WIDTH / 2.0, y - height / 2.0);
    let fill = node.fill.map_or(String::new(), |fill| format!(" style=\"fill:{fill}\""));
    let radius = if node.is_round { 14 } else { 2 };
    let mut svg = format!(
        "<rect class=\"node\"{fill} x=\"{left:.1}\" y=\"{top:.1}\" width=\"{WIDTH}\" height=\"{height}\" rx=\"{radius}\"/>\n"
    );
    let ink = if node.fill.is_some() { " on-fill" } else { "" };
    for (index, line) in node.lines.iter().enumerate() {
        let baseline = top + 5.0 + (index as f64 + 0.76) * LINE;
        let _ = writeln!(
            svg,
            "<text class=\"label{ink}\" xml:space=\"preserve\" x=\"{x:.1}\" y=\"{baseline:.1}\">{}</text>",
            escaped(line)
        );
    }
    if !node.note.is_empty() {
        let baseline = top + height - 6.0;
        let _ =
            writeln!(svg, "<text class=\"note{ink}\" x=\"{x:.1}\" y=\"{baseline:.1}\">{}</text>", escaped(&node.note));
    }
    svg
}

/// Text escaped for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text escaped for a quoted string of a DOT file.
fn escaped_dot(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

const STYLE: &str = "<style>
.paper{fill:#fff}
.title{font:700 15px Verdana,\"DejaVu Sans\",sans-serif;fill:#222220}
.legend{font:13px Verdana,\"DejaVu Sans\",sans-serif;fill:#5d5a52}
.node{fill:#fff;stroke:#3a342a;stroke-width:1.3}
.label{font:14px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;text-anchor:middle;fill:#222220}
.note{font:10px Verdana,\"DejaVu Sans\",sans-serif;text-anchor:middle;fill:#5d5a52}
.edge{fill:none;stroke:#8a8478;stroke-width:1.1}
.edge.strong{stroke:#3a342a;stroke-width:2.4}
.head{fill:#8a8478}
.head.strong{fill:#3a342a}
@media (prefers-color-scheme:dark){
.paper{fill:#16181d}
.title{fill:#ebe6da}
.legend{fill:#b1ab9c}
.node{fill:#1f2229;stroke:#d9d2c2}
.label{fill:#ebe6da}
.note{fill:#b1ab9c}
.on-fill{fill:#222220}
.edge{stroke:#8f94a0}
.edge.strong{stroke:#ebe6da}
.head{fill:#8f94a0}
.head.strong{fill:#ebe6da}
}
</style>
";
